// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Makes pictures of JPEG files.
///
/// The samples come as they lie in the file, without a way through RGB: as I420, I422, I444 or gray8, with
/// the colour space ``ObscuraMedia/ColorSpace/jpeg``. Files with another subsampling (4:4:0, 4:1:1) or that
/// hold RGB become BGRA. CMYK is refused.
///
/// Any thread; a call decodes on the thread it is made on.
public enum JPEGDecoder {
    /// The longest side that is decoded or encoded.
    public static let sizeLimit = 16384

    /// The picture of a whole JPEG file.
    ///
    /// - Parameters:
    ///   - bytes: the file; what follows its end marker is not looked at. The Huffman tables may be left
    ///     out, as cameras do.
    ///   - pool: where the picture lies; nil for memory of its own.
    /// - Throws: ``ImagingError/Code/damagedData`` for anything that is not a whole JPEG,
    ///   ``ImagingError/Code/tooLarge``; `MediaError` when there is no room for the picture.
    public static func decode(_ bytes: [UInt8], in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try decode(bytes.span.bytes, in: pool)
    }

    /// As ``decode(_:in:)-([UInt8],_)``, of borrowed memory.
    public static func decode(_ bytes: RawSpan, in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        guard !bytes.isEmpty else { throw ImagingError.damaged("JPEG", "it is empty") }
        let decompressor = try TurboJPEGDecompressor()
        let header = try decompressor.header(of: bytes)
        let size = header.size
        guard max(size.width, size.height) <= sizeLimit else {
            throw ImagingError.tooLarge("JPEG of \(size)", limit: sizeLimit)
        }
        // Not even one bit for each block of 8x8: so short a file cannot be whole, and must not make us take
        // memory and time for the size that it claims.
        let blocks = ((size.width + 7) / 8) * ((size.height + 7) / 8)
        guard bytes.byteCount >= blocks / 8 else {
            throw ImagingError.damaged("JPEG of \(size)", "it is too short for its size")
        }
        let whole = PixelBuffer.blockSize(of: size, header.format)
        let memory = pool ?? PixelBufferPool(capacity: 1)
        var picture = try memory.makeBuffer(
            format: header.format, width: whole.width, height: whole.height,
            colorSpace: header.format.isYUV ? .jpeg : .sRGB)
        try decompressor.decode(bytes, header, into: &picture)
        if whole == size { return picture }
        return picture.view(of: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    }
}
