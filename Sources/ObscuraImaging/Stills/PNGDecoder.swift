// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A decoder of PNG files, to RGBA with 8 bits.
///
/// Gamma and color profiles are not applied. Thread-safe; a call decodes on the calling thread.
public enum PNGDecoder {
    /// Maximum length of a side, in pixels.
    public static let sizeLimit = 16384

    /// Decodes a complete PNG file.
    ///
    /// - Throws: ``ObscuraError/Code/damaged`` for an invalid or incomplete PNG, ``ObscuraError/Code/tooLarge``,
    ///   ``ObscuraError/Code/codecFailed``, ``ObscuraError/Code/poolExhausted``, ``ObscuraError/Code/outOfMemory``.
    public static func decode(_ bytes: [UInt8], in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try SPNGReader.read(bytes) { reader in
            let size = try reader.size()
            guard max(size.width, size.height) <= sizeLimit else {
                throw ObscuraError.tooLarge("PNG of \(size)", limit: sizeLimit)
            }
            // Deflate expands a byte to at most 1032 bytes, and a pixel has at least one bit.
            guard bytes.count * 1040 * 8 >= size.width * size.height else {
                throw ObscuraError.damaged("PNG of \(size)", "it has too little data for this size")
            }
            var picture = try (pool ?? PixelBufferPool(capacity: 1)).makeBuffer(
                format: .rgba, width: size.width, height: size.height)
            try reader.decode(into: &picture)
            return picture
        }
    }
}
