// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension MediaFolder {
    private static let longestSide = 16384

    /// Returns a photo as a JPEG, upright, with its edits and without its metadata; or the first frame of a movie.
    ///
    /// - Parameters:
    ///   - size: the size to fit the picture in, which is never enlarged; nil for its full size.
    ///   - original: whether to omit the edits.
    /// - Throws: ``ObscuraError/Code/failed`` for a damaged file, ``ObscuraError/Code/tooMuch`` for one that is too
    ///   large, ``ObscuraError/Code/invalidRequest`` for an invalid size.
    nonisolated(nonsending) func picture(
        of text: String, fitting size: PixelSize? = nil, original: Bool = false
    ) async throws -> [UInt8] {
        if let size {
            guard size.width > 0, size.height > 0 else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "picture of \(size)",
                    reason: "each side must be at least 1 pixel",
                    advice: "Request 1 to \(Self.longestSide) pixels on each side.")
            }
        }
        let (key, thumbnail) = try await run(about: text) { [self] in
            try pictureKey(
                of: text,
                box: size.map {
                    PixelSize(width: min($0.width, Self.longestSide), height: min($0.height, Self.longestSide))
                }, original: original)
        }
        return try await pictures.picture(key) {
            if let thumbnail, let stored = try await storedPicture(thumbnail, of: key) { return stored }
            // The file is opened by name again. If it was replaced meanwhile, the new picture is cached under the old
            // key, which no later request uses.
            let source = try await run(about: text) { [self] in
                try openPicture(try item(key.name), recipe: key.recipe, fitting: thumbnail?.key.size.size ?? key.box)
            }
            return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
                try await run(about: text, isPainting: true) { [self] in
                    let picture = try source.render()
                    if let thumbnail { store(picture, of: source.file, for: thumbnail.key) }
                    return try Self.jpeg(picture, fitting: key.box)
                }
            }
        }
    }

    static func jpeg(_ picture: PixelBuffer, fitting box: PixelSize?) throws -> [UInt8] {
        try JPEGEncoder(quality: 88).encode(try picture.reduced(toFit: box))
    }

    /// Blocks.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` if the picture is too large.
    func openPicture(
        _ name: MediaName, recipe: StillRecipe?, fitting box: PixelSize? = nil
    ) throws(ObscuraError) -> PictureSource {
        try PictureSource(directory.open(name.text), as: name.type.kind, recipe: recipe, fitting: box)
    }
}
