// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraImaging
package import ObscuraMedia

/// The memory needed to display or edit a photo, or the first frame of a movie: an upper bound, calculated from the
/// file's header.
package struct PictureCost: Sendable, Hashable {
    /// The size to fit the photo in while decoding; nil for its full size.
    package let decodingBox: PixelSize?
    /// Required memory, in bytes.
    package let byteCount: Int
    private let size: PixelSize
    private let fileSize: Int

    /// A byte of a JPEG photo decodes to 10 to 50 bytes. A picture that exceeds the memory budget must have a file of
    /// corresponding size: the header of a 100 KB file can claim 16384x8192 pixels.
    private static let mostPerByte = 64

    /// More pixels than any movie has. The sides of a movie come from its header.
    private static let mostPixels = 1 << 40

    /// - Parameters:
    ///   - recipe: the edits to apply; nil for none.
    ///   - box: the size to fit the result in; nil for its own size.
    package init(of photo: StillInfo, fileSize: Int64, recipe: StillRecipe?, fitting box: PixelSize?) {
        let upright = photo.uprightSize
        let edited = recipe?.size(of: upright) ?? upright
        var scale = 1.0
        if let box {
            scale = min(1, Double(box.width) / Double(edited.width), Double(box.height) / Double(edited.height))
        }
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded(.up))) }
        decodingBox = scale < 1 ? PixelSize(width: scaled(upright.width), height: scaled(upright.height)) : nil
        let decoded = photo.decodedSize(fitting: decodingBox)
        // Edits convert to BGRA, and then write to a second buffer. Without edits there are only the result and its
        // file.
        let isEdited = recipe.map { !$0.edits.isEmpty } ?? false
        let work = isEdited ? decoded.pixelCount * 12 : scaled(edited.width) * scaled(edited.height) * 4
        self.fileSize = Self.bounded(fileSize)
        byteCount = self.fileSize + photo.decodingBytes(fitting: decodingBox) + work
        size = photo.size
    }

    /// Calculates the memory for the first frame of a movie.
    package init(of movie: PixelSize, fileSize: Int64) {
        decodingBox = nil
        // One decoder thread: a frame and its reference frames, usually two, at 1.5 bytes per pixel.
        byteCount = min(movie.pixelCount, Self.mostPixels) * 8
        (size, self.fileSize) = (movie, Self.bounded(fileSize))
    }

    /// The size of a sparse file can be arbitrarily large; no photo above this limit is read.
    private static func bounded(_ fileSize: Int64) -> Int {
        Int(clamping: min(fileSize, Int64(MediaReading.mostOfPhoto)))
    }

    /// - Throws: ``ObscuraError/Code/tooLarge``.
    package func check(_ name: String) throws(ObscuraError) {
        let limit = max(MemoryBudget.pictures.byteCount, fileSize * Self.mostPerByte)
        guard byteCount > limit else { return }
        throw ObscuraError(
            .library, .tooLarge, subject: name, reason: "its size of \(size) is too large to display",
            advice: "Reduce the picture with another program.")
    }
}
