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
    /// - Throws: ``ObscuraError/Code/damaged`` for anything that is not a whole JPEG,
    ///   ``ObscuraError/Code/tooLarge``; `ObscuraError` when there is no room for the picture.
    public static func decode(_ bytes: [UInt8], in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try decode(bytes.span.bytes, in: pool)
    }

    /// As ``decode(_:in:)-([UInt8],_)``, of borrowed memory.
    public static func decode(_ bytes: RawSpan, in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try decode(bytes, limit: PixelSize(width: sizeLimit, height: sizeLimit), in: pool)
    }

    /// The picture of a whole JPEG file, decoded at 1/2, 1/4 or 1/8 of its size where that is enough.
    ///
    /// - Parameters:
    ///   - size: what the picture will be fitted in, its aspect ratio kept; the result is at least as large as that. Nil
    ///     for all of it.
    ///   - limit: the largest size that is accepted, before scaling.
    static func decode(
        _ bytes: RawSpan, fitting size: PixelSize? = nil, limit: PixelSize, in pool: PixelBufferPool? = nil
    ) throws -> PixelBuffer {
        guard !bytes.isEmpty else { throw ObscuraError.damaged("JPEG", "it is empty") }
        let decompressor = try TurboJPEGDecompressor()
        let header = try decompressor.header(of: bytes)
        let stored = header.size
        guard stored.width <= limit.width, stored.height <= limit.height else {
            throw ObscuraError.tooLarge("JPEG of \(stored)", limit: max(limit.width, limit.height))
        }
        // Not even one bit for each block of 8x8: so short a file cannot be whole, and must not make us take
        // memory and time for the size that it claims.
        let blocks = ((stored.width + 7) / 8) * ((stored.height + 7) / 8)
        guard bytes.byteCount >= blocks / 8 else {
            throw ObscuraError.damaged("JPEG of \(stored)", "it is too short for its size")
        }
        let size = decodedSize(of: stored, fitting: size)
        let whole = PixelBuffer.blockSize(of: size, header.format)
        let memory = pool ?? PixelBufferPool(capacity: 1)
        var picture = try memory.makeBuffer(
            format: header.format, width: whole.width, height: whole.height,
            colorSpace: header.format.isYUV ? .jpeg : .sRGB)
        try decompressor.decode(bytes, header, at: size, into: &picture)
        if whole == size { return picture }
        return picture.view(of: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    }

    /// The size at which a picture is decoded that will be fitted in `size`. libjpeg-turbo has fast transforms for these
    /// divisors; it rounds up.
    static func decodedSize(of stored: PixelSize, fitting size: PixelSize?) -> PixelSize {
        guard let size, size.width > 0, size.height > 0 else { return stored }
        for divisor in [8, 4, 2] {
            let scaled = PixelSize(
                width: (stored.width + divisor - 1) / divisor, height: (stored.height + divisor - 1) / divisor)
            // One side fills the box, and the other is shorter: either one that is long enough shows that both are.
            if scaled.width >= size.width || scaled.height >= size.height { return scaled }
        }
        return stored
    }
}
