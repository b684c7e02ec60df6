// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Studio {
    /// Runs `body`, which changes the ribbon or an item in it.
    ///
    /// - Parameters:
    ///   - count: the maximum number of items that it adds.
    ///   - kind: the kind of the new items; nil if it is not known yet.
    /// - Throws: ``ObscuraError/Code/notAllowed`` for a kind that is not accepted; ``ObscuraError/Code/wrongState`` if
    ///   there is no room, or a picker is returning its selection; the errors of `body`.
    func changing<R>(
        adding count: Int = 0, of kind: MediaItem.Kind? = nil, _ body: () async throws -> R
    ) async throws -> R {
        if let kind { try rules.check(kind) }
        try changes.begin(adding: count) { reserved throws(ObscuraError) in
            let present = recentMedia.names.count + cameras.count(where: \.isRecording)
            if count > 0 { try rules.checkRoom(for: count, beside: present + reserved) }
        }
        defer { changes.end(adding: count) }
        return try await body()
    }

    /// Takes photos, and adds them to the ribbon; see ``StudioCamera/takePhotos(_:pressedAt:into:taken:)``.
    ///
    /// - Returns: the names of the files, in order.
    func takePhotos(
        _ request: PhotosRequest, with camera: StudioCamera, pressedAt: HostTime
    ) async throws -> [String] {
        let count = min(max(1, request.count ?? 1), StudioCamera.mostPhotos)
        return try await changing(adding: count, of: .photo) {
            guard rules.changesPhotos else {
                return try await camera.takePhotos(
                    request, pressedAt: pressedAt, into: folder, taken: recentMedia.append)
            }
            // A photo appears with its first edits, and not before.
            var taken: [String] = []
            let result: Result<[String], any Error>
            do {
                result = .success(
                    try await camera.takePhotos(request, pressedAt: pressedAt, into: folder) { taken.append($0) })
            } catch {
                result = .failure(error)
            }
            for name in taken { try await prepare(name) }
            taken.forEach(recentMedia.append)
            return try result.get()
        }
    }

    /// Starts to record a movie, which is added to the ribbon when it is complete.
    func startRecording(_ request: RecordingRequest, with camera: StudioCamera) async throws {
        try await changing(adding: 1, of: .movie) {
            var request = request
            if let longest = rules.longestMovie { request.maxDuration = min(longest, request.maxDuration ?? longest) }
            try await camera.startRecording(request, into: folder)
        }
    }

    /// Gives a new photo its first edits.
    ///
    /// - Parameter recipe: the edits that it already has elsewhere.
    func prepare(_ name: String, recipe: StillRecipe? = nil) async throws {
        guard let size = try await folder.originalSize(of: name) else { return }
        let prepared = rules.prepared(recipe ?? StillRecipe(), for: size)
        if !prepared.edits.isEmpty { _ = try await folder.setRecipe(prepared, of: name) }
    }

    /// Saves the edits of a photo.
    ///
    /// - Parameter recipe: the edits; without any, those that exist are deleted.
    /// - Returns: the photo with its new edits.
    func setRecipe(_ recipe: StillRecipe, of name: String) async throws -> MediaItem {
        try await changing {
            try rules.check(recipe, insteadOf: try await folder.recipe(of: name), of: name)
            if let original = try await folder.originalSize(of: name) {
                try rules.check(recipe.size(of: original), of: name)
            }
            let item = try await folder.setRecipe(recipe, of: name)
            announcer.noteEdit(of: name)
            noteLibraryChange()
            return item
        }
    }
}
