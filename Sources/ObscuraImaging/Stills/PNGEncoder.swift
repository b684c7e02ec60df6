// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An encoder of PNG files: 8 bits, RGB without alpha, or gray for gray pictures.
///
/// Use an encoder on only one thread at a time: it keeps scratch memory between calls.
public final class PNGEncoder {
    /// The compression level, 0 (none) to 9 (slow and small).
    public let compressionLevel: Int

    private let filter: PNGFilter
    private let pool = PixelBufferPool(capacity: 2)
    private var pixels: [UInt8] = []

    /// Creates an encoder.
    ///
    /// - Parameter compressionLevel: zlib's level, 0 to 9. Level 1 is about six times as fast as level 6, and the file
    ///   is about 1/6 larger.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a level outside of this range.
    public convenience init(compressionLevel: Int = 1) throws(ObscuraError) {
        try self.init(compressionLevel: compressionLevel, filter: .sub)
    }

    package init(compressionLevel: Int, filter: PNGFilter) throws(ObscuraError) {
        guard (0...9).contains(compressionLevel) else { throw .invalidLevel(compressionLevel) }
        self.compressionLevel = compressionLevel
        self.filter = filter
    }

    /// Encodes a picture as a PNG file.
    ///
    /// - Parameter picture: any uncompressed picture.
    /// - Throws: ``ObscuraError/Code/codecFailed``, ``ObscuraError/Code/outOfMemory``.
    public func encode(_ picture: PixelBuffer) throws -> [UInt8] {
        try encode(picture, exif: nil, xmp: nil)
    }

    /// Encodes like ``encode(_:)``, with texts in ASCII by their keywords.
    package func encode(_ picture: PixelBuffer, texts: [String: String]) throws -> [UInt8] {
        try encode(
            picture, exif: nil,
            texts.sorted { $0.key < $1.key }.map {
                PNGText(keyword: $0.key, bytes: Array($0.value.utf8), isInternational: false)
            })
    }

    /// Encodes like ``encode(_:)``, with an EXIF block (without its header) and an XMP packet.
    func encode(_ picture: PixelBuffer, exif: [UInt8]?, xmp: [UInt8]?) throws -> [UInt8] {
        try encode(
            picture, exif: exif,
            xmp.map { [PNGText(keyword: PNGChunks.xmpKeyword, bytes: $0, isInternational: true)] } ?? [])
    }

    private func encode(_ picture: PixelBuffer, exif: [UInt8]?, _ texts: [PNGText]) throws -> [UInt8] {
        let isGray = picture.format == .gray8
        var request = ImageRequest(pixelFormat: isGray ? .gray8 : .rgba)
        if isGray {
            // Gray in PNG is full range, regardless of the matrix.
            request.colorSpace = picture.colorSpace
            request.colorSpace?.range = .full
        }
        let converted = try ImageTransformer.transform(picture, request, in: pool)
        PixelKernels.pack(converted, into: &pixels)
        let writer = try SPNGWriter()
        if let exif { try writer.setExif(exif) }
        try writer.setTexts(texts)
        return try writer.encode(
            pixels, converted.size, isGray: isGray, compressionLevel: compressionLevel, filter: filter)
    }
}

extension ObscuraError {
    fileprivate static func invalidLevel(_ level: Int) -> ObscuraError {
        ObscuraError(
            .imaging, .invalidRequest, subject: "PNG compression level \(level)", reason: "the level must be 0 to 9",
            advice: nil)
    }
}
