// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Makes pictures of PNG files: RGBA with 8 bits, whatever the file holds.
///
/// Gamma and colour profiles are not applied. Any thread; a call decodes on the thread it is made on.
public enum PNGDecoder {
    /// The longest side that is decoded.
    public static let sizeLimit = 16384

    /// The picture of a whole PNG file.
    ///
    /// - Throws: ``ObscuraError/Code/damaged`` for anything that is not a whole PNG,
    ///   ``ObscuraError/Code/tooLarge``; `ObscuraError` when there is no room for the picture.
    public static func decode(_ bytes: [UInt8], in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        try SPNGReader.read(bytes) { reader in
            let size = try reader.size()
            guard max(size.width, size.height) <= sizeLimit else {
                throw ObscuraError.tooLarge("PNG of \(size)", limit: sizeLimit)
            }
            // Deflate makes at most 1032 bytes of one, and a pixel has at least one bit.
            guard bytes.count * 1040 * 8 >= size.width * size.height else {
                throw ObscuraError.damaged("PNG of \(size)", "it is too short for its size")
            }
            var picture = try (pool ?? PixelBufferPool(capacity: 1)).makeBuffer(
                format: .rgba, width: size.width, height: size.height)
            try reader.decode(into: &picture)
            return picture
        }
    }
}
