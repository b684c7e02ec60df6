// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraImaging
public import ObscuraMedia

extension MediaLibrary {
    /// Returns the edits of a photo; nil if there are none.
    nonisolated(nonsending) public func recipe(of path: String) async throws(ObscuraError) -> StillRecipe? {
        try await run { [self] () throws(ObscuraError) in
            let path = try existing(path)
            return (try? folder.folder(path.folder)).flatMap { reader.recipe(of: path, in: $0) }
        }
    }

    /// Stores the edits of a photo in a file beside it. The photo itself is not changed.
    ///
    /// - Parameters:
    ///   - recipe: the edits. Nil, or a recipe without edits, deletes the existing edits.
    ///   - path: the photo.
    /// - Returns: the photo, with the size after the edits.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for invalid edits, and for a movie.
    @discardableResult
    nonisolated(nonsending) public func setRecipe(
        _ recipe: StillRecipe?, of path: String
    ) async throws(ObscuraError) -> LibraryItem {
        try await run { [self] () throws(ObscuraError) in
            try change { _ throws(ObscuraError) -> LibraryItem in
                let path = try existing(path)
                guard path.type?.kind == .photo else {
                    throw ObscuraError(
                        .library, .invalidRequest, subject: path.text,
                        reason: "it is a movie, and only photos can be edited", advice: "Choose a photo.")
                }
                let place = try ObscuraError.about(path.text) { () throws(SystemError) in
                    try folder.folder(path.folder)
                }
                let name = Sidecar.recipe.name(for: path.name)
                guard recipe == nil || !place.isTaken(name) || reader.recipe(of: path, in: place) != nil else {
                    throw ObscuraError(
                        .library, .damaged, subject: Sidecar.recipe.name(for: path.text),
                        reason: "this file with edits is damaged or from a newer version of Obscura, so the new edits "
                            + "were not saved",
                        advice: "Update Obscura, or delete this file together with the edits in it, then try again.")
                }
                if let recipe, !recipe.edits.isEmpty {
                    try recipe.check(for: path.text)
                    try writeSidecar(.recipe, of: path, in: place) { try recipe.json() }
                } else if place.isTaken(name) {
                    try ObscuraError.about(path.text) { () throws(SystemError) in try place.remove(name) }
                }
                try reindex([path])
                return try current(path)
            }
        }
    }

    /// Returns the picture of a photo, upright and with its edits, or the first frame of a movie.
    ///
    /// Suspends while other calls use up the memory budget of the process.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - size: the size to fit the picture in; nil for its full size. The picture is never enlarged.
    /// - Throws: ``ObscuraError/Code/unreadable`` for a damaged file, ``ObscuraError/Code/tooLarge`` for a picture that
    ///   does not fit in memory.
    nonisolated(nonsending) public func picture(
        of path: String, fitting size: PixelSize? = nil
    ) async throws(ObscuraError) -> PixelBuffer {
        try await picture(of: path, fitting: size, isEdited: true)
    }

    /// Returns the picture of an item like ``picture(of:fitting:)``, with or without the edits of a photo.
    nonisolated(nonsending) package func picture(
        of path: String, fitting size: PixelSize?, isEdited: Bool
    ) async throws(ObscuraError) -> PixelBuffer {
        if let size, size.width < 1 || size.height < 1 {
            throw ObscuraError(
                .library, .invalidRequest, subject: "picture of \(size)", reason: "each side must be at least 1 pixel")
        }
        let source = try await run { [self] () throws(ObscuraError) -> PictureSource in
            try self.source(of: existing(path), fitting: size, isEdited: isEdited)
        }
        return try await withMemory(of: source) { try source.render() }
    }

    /// Opens an item for rendering. Blocks.
    func source(
        of path: LibraryPath, fitting size: PixelSize? = nil, isEdited: Bool = true
    ) throws(ObscuraError) -> PictureSource {
        let place = isEdited ? try? folder.folder(path.folder) : nil
        let recipe = place.flatMap { reader.recipe(of: path, in: $0) }
        return try PictureSource(
            folder.open(path), as: path.type?.kind ?? .photo, recipe: recipe, fitting: size)
    }

    /// Runs `body` on a thread of the library when enough memory is free.
    nonisolated(nonsending) func withMemory<R: Sendable>(
        of source: PictureSource, _ body: @escaping @Sendable () throws -> R
    ) async throws(ObscuraError) -> R {
        let result: Result<R, ObscuraError> = await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            await readers.run {
                Result { try body() }.mapError {
                    ObscuraError(wrapping: $0, as: .library, .unreadable, subject: source.file.name)
                }
            }
        }
        return try result.get()
    }
}
