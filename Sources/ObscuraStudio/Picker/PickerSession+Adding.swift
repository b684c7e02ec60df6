// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension PickerSession {
    /// Copies the preselected files.
    func addPreselected() async throws {
        for path in configuration.preselected {
            let file = try MediaFile(opening: path)
            try await add(named: file.name, from: Origin(source: .disk, original: path), upTo: .max) {
                try await $0.write(file)
            }
        }
    }

    /// Copies an item of the library, and its edits.
    func add(fromLibrary path: String) async throws -> MediaItem {
        guard let library else { throw ObscuraError.noSuchItem(path) }
        let (file, recipe) = try await library.file(of: path)
        return try await add(
            named: file.name, from: Origin(source: .library, original: path), recipe: recipe, upTo: .max
        ) { try await $0.write(file) }
    }

    /// Downloads a photo or movie.
    func add(fromAddress text: String) async throws -> MediaItem {
        let address = try RemoteAddress(text)
        return try await downloads.run(address.shown) { [self] note in
            try await add(named: address.name, from: Origin(source: .network, original: text)) { upload in
                try await RemoteMedia(access: configuration.networkAccess)
                    .download(text, upTo: MediaUpload.mostBytes, progress: note) { try await upload.write($0) }
            }
        }
    }

    /// Adds a photo or movie, whose bytes `write` delivers.
    ///
    /// - Parameters:
    ///   - recipe: the edits that it already has.
    ///   - limit: the maximum size, in bytes.
    @discardableResult
    func add(
        named name: String, from origin: Origin, recipe: StillRecipe? = nil, upTo limit: Int64 = MediaUpload.mostBytes,
        _ write: (MediaUpload) async throws -> Void
    ) async throws -> MediaItem {
        try await studio.changing(adding: 1) {
            let upload = try await studio.folder.store(name: name, maximum: limit)
            let item: MediaItem
            do {
                try await write(upload)
                item = try await upload.finish()
            } catch {
                await upload.abort()
                throw error
            }
            do {
                try studio.rules.check(item.kind, name)
                // A truncated photo has a good beginning; its picture is also the one that the page shows.
                _ = try await studio.folder.picture(of: item.name, fitting: Self.preview)
                try await studio.prepare(item.name, recipe: recipe)
            } catch {
                try? await studio.folder.delete(item.name)
                throw error
            }
            var origin = origin
            origin.name = Self.name(name, for: item)
            setOrigin(origin, of: item.name)
            studio.recentMedia.append(item.name)
            return try await studio.folder.item(named: item.name)
        }
    }

    /// The size in which the page shows a photo.
    private static let preview = PixelSize(width: 1600, height: 1600)

    /// The wanted name with the extension of the file. In the workspace it may have a number, although the output folder
    /// has no such file.
    private static func name(_ wanted: String, for item: MediaItem) -> String? {
        guard let ending = (try? MediaName(item.name))?.ending else { return nil }
        return "\(UploadName(wanted).stem).\(ending)"
    }

    /// Replaces a movie of the selection by a part of it.
    func trim(_ name: String, from start: Double, to end: Double?) async throws -> MediaItem {
        try await studio.changing {
            let item = try await studio.folder.trim(name, from: start, to: end)
            var origin = origin(of: name)
            if let wanted = origin?.name { origin?.name = Self.name(wanted, for: item) }
            setOrigin(origin, of: item.name)
            guard studio.recentMedia.replace(name, by: item.name) else {
                // It was removed meanwhile.
                try? await studio.folder.delete(item.name)
                throw ObscuraError.noSuchItem(name)
            }
            return item
        }
    }

    /// Sets the selection to these names, for undoing: photos and movies that were removed are still in the folder.
    func select(_ names: [String]) async throws {
        let items = try await studio.folder.items(named: names)
        guard items.count == names.count, Set(names).count == names.count else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "selection", reason: "a file name is unknown or listed twice",
                advice: "Reload the page.")
        }
        let added = max(0, names.count - studio.recentMedia.names.count)
        try await studio.changing(adding: added) { studio.recentMedia.set(names) }
    }
}
