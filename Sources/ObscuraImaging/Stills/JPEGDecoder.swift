// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A decoder of JPEG files.
///
/// Samples are decoded without a conversion to RGB: to I420, I422, I444 or gray8, with the color space
/// ``ColorSpace/jpeg``. Files with another subsampling (4:4:0, 4:1:1) or RGB are decoded to BGRA. CMYK is
/// rejected.
///
/// Thread-safe; a call decodes on the calling thread.
public enum JPEGDecoder {
    /// Maximum length of a side for decoding and encoding, in pixels.
    public static let sizeLimit = 16384

    /// Decodes a complete JPEG file.
    ///
    /// - Parameters:
    ///   - bytes: the file; bytes after the end marker are ignored. The Huffman tables may be missing, as in the frames
    ///     of some cameras.
    ///   - pool: the pool for the picture; nil for new memory.
    /// - Throws: ``ObscuraError/Code/damaged`` for an invalid or incomplete JPEG, ``ObscuraError/Code/tooLarge``,
    ///   ``ObscuraError/Code/codecFailed``, ``ObscuraError/Code/poolExhausted``, ``ObscuraError/Code/outOfMemory``.
    public static func decode(_ bytes: [UInt8], in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try decode(bytes.span.bytes, in: pool)
    }

    /// Decodes a complete JPEG file in borrowed memory, like ``decode(_:in:)-([UInt8],_)``.
    public static func decode(_ bytes: RawSpan, in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try decode(bytes, limit: PixelSize(width: sizeLimit, height: sizeLimit), in: pool)
    }

    /// Decodes a complete JPEG file, at 1/2, 1/4 or 1/8 of its size if that is sufficient.
    ///
    /// - Parameters:
    ///   - size: the size into which the picture will be fitted; the result is at least as large. Nil for the full
    ///     size.
    ///   - limit: the maximum size of the file's picture.
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
        // Less than one bit per block of 8x8: such a file is incomplete, and must not cause an allocation of the size
        // that it claims.
        let blocks = ((stored.width + 7) / 8) * ((stored.height + 7) / 8)
        guard bytes.byteCount >= blocks / 8 else {
            throw ObscuraError.damaged("JPEG of \(stored)", "it has too little data for this size")
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

    /// Returns the decoded size for a picture that will be fitted in `size`. libjpeg-turbo has fast transforms for
    /// these divisors; it rounds up.
    static func decodedSize(of stored: PixelSize, fitting size: PixelSize?) -> PixelSize {
        guard let size, size.width > 0, size.height > 0 else { return stored }
        for divisor in [8, 4, 2] {
            let scaled = PixelSize(
                width: (stored.width + divisor - 1) / divisor, height: (stored.height + divisor - 1) / divisor)
            // One side fits exactly, and the other is shorter: if either is large enough, both are.
            if scaled.width >= size.width || scaled.height >= size.height { return scaled }
        }
        return stored
    }
}
