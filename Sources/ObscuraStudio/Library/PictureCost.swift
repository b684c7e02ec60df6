// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The memory that showing or editing a picture of the library takes: an upper bound, by what its file says of itself.
struct PictureCost: Sendable, Hashable {
    /// What the photo is fitted in when it is decoded; nil for all of it.
    let decodingBox: PixelSize?
    /// In bytes.
    let byteCount: Int
    private let size: PixelSize
    private let fileSize: Int

    /// A byte of a photograph becomes 10 to 50 bytes of pictures. What takes more memory than the budget has to have a
    /// file that explains it: 100 KB can claim 16384x8192 pixels.
    private static let mostPerByte = 64

    /// - Parameters:
    ///   - recipe: the edits that are applied; nil for none.
    ///   - box: what the result is fitted in; nil for its own size.
    init(of photo: StillInfo, fileSize: Int64, recipe: StillRecipe?, fitting box: PixelSize?) {
        let upright = photo.uprightSize
        let edited = recipe?.size(of: upright) ?? upright
        var scale = 1.0
        if let box {
            scale = min(1, Double(box.width) / Double(edited.width), Double(box.height) / Double(edited.height))
        }
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded(.up))) }
        decodingBox = scale < 1 ? PixelSize(width: scaled(upright.width), height: scaled(upright.height)) : nil
        let decoded = photo.decodedSize(fitting: decodingBox)
        // Edits make BGRA of it, and then a picture from a picture; without them there is the result, and its file.
        let isEdited = recipe.map { !$0.edits.isEmpty } ?? false
        let work = isEdited ? decoded.pixelCount * 12 : scaled(edited.width) * scaled(edited.height) * 4
        self.fileSize = Self.bounded(fileSize)
        byteCount = self.fileSize + photo.decodingBytes(fitting: decodingBox) + work
        size = photo.size
    }

    /// The first picture of a movie.
    init(of movie: PixelSize, fileSize: Int64) {
        decodingBox = nil
        // One decoder on one thread: the picture and those that it refers to, most often two of 1.5 bytes a pixel.
        byteCount = movie.pixelCount * 8
        (size, self.fileSize) = (movie, Self.bounded(fileSize))
    }

    /// A file with holes may be as large as numbers go. No larger photo is read.
    private static func bounded(_ fileSize: Int64) -> Int {
        Int(clamping: min(fileSize, Int64(MediaReading.mostOfPhoto)))
    }

    /// - Throws: ``ObscuraError/Code/tooMuch``.
    func check(_ name: String) throws(ObscuraError) {
        let limit = max(MemoryBudget.pictures.byteCount, fileSize * Self.mostPerByte)
        guard byteCount > limit else { return }
        throw ObscuraError(
            .studio, .tooMuch, subject: name, reason: "its picture of \(size) is too large to be shown",
            advice: "Make it smaller with another program.")
    }
}
