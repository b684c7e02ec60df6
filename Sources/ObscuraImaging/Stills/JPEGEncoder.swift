// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An encoder of JPEG files (JFIF 1.02, baseline, no EXIF).
///
/// JPEG uses BT.601 YCbCr in full range. YUV pictures keep their chroma subsampling, and are encoded without a
/// conversion to RGB. YUV pictures with another matrix, range or bit depth are first converted to BT.601, full range
/// and 8 bits. RGB pictures are encoded as 4:2:0, those of limited range are first expanded to full range.
///
/// The encoder always uses libjpeg-turbo's accurate discrete cosine transform. With SIMD, the fast transform would save
/// no time, and would increase size and error (by 3 % and 0.4 dB at quality 95).
///
/// Use an encoder on only one thread at a time: it keeps a codec and scratch memory between calls.
public final class JPEGEncoder {
    /// The quality, 1 (small) to 100 (near the original).
    public let quality: Int

    private let compressor: TurboJPEGCompressor
    private let pool = PixelBufferPool(capacity: 2)

    /// Creates an encoder.
    ///
    /// - Parameter quality: 1 to 100.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a quality outside of this range,
    ///   ``ObscuraError/Code/codecFailed``.
    public init(quality: Int = 90) throws(ObscuraError) {
        guard (1...100).contains(quality) else { throw .invalidQuality(quality) }
        self.quality = quality
        compressor = try TurboJPEGCompressor()
    }

    /// Encodes a picture as a JPEG file.
    ///
    /// - Parameter picture: any uncompressed picture, each side at most ``JPEGDecoder/sizeLimit``.
    /// - Throws: ``ObscuraError/Code/tooLarge``, ``ObscuraError/Code/codecFailed``, ``ObscuraError/Code/outOfMemory``.
    public func encode(_ picture: PixelBuffer) throws -> [UInt8] {
        guard max(picture.width, picture.height) <= JPEGDecoder.sizeLimit else {
            throw ObscuraError.tooLarge("JPEG of \(picture.size)", limit: JPEGDecoder.sizeLimit)
        }
        guard picture.format.isYUV else {
            // Expands limited range.
            let full = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: picture.format), in: pool)
            return try compressor.compress(full, full.size, quality: quality)
        }
        var request = ImageRequest(pixelFormat: picture.format.planar.eightBit)
        request.colorSpace = .jpeg
        var planes = try ImageTransformer.transform(picture, request, in: pool)
        let whole = PixelBuffer.blockSize(of: planes.size, planes.format)
        if whole != planes.size {
            var padded = try pool.makeBuffer(
                format: planes.format, width: whole.width, height: whole.height, colorSpace: .jpeg)
            planes = try planes.padding(&padded)
        }
        return try compressor.compress(planes, picture.size, quality: quality)
    }
}

extension ObscuraError {
    fileprivate static func invalidQuality(_ quality: Int) -> ObscuraError {
        ObscuraError(
            .imaging, .invalidRequest, subject: "JPEG quality \(quality)", reason: "the quality must be 1 to 100",
            advice: nil)
    }
}
