// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraImaging
internal import ObscuraMedia

/// A converter of frames to the orientation, size, pixel format and color space of the movie. One thread at a time.
///
/// A matching frame is returned unchanged.
final class PictureFitter {
    let size: PixelSize
    let format: PixelFormat
    let colorSpace: ColorSpace
    private let fit: ImageRequest.Fit
    /// A pool of as many buffers as an encoder holds; additional buffers are freed.
    private let pool = PixelBufferPool(capacity: 4, isElastic: true)
    private var black: PixelBuffer?

    init(size: PixelSize, format: PixelFormat, colorSpace: ColorSpace, fit: ImageRequest.Fit) {
        self.size = size
        self.format = format
        self.colorSpace = colorSpace
        self.fit = fit
    }

    func picture(_ frame: VideoFrame) throws -> PixelBuffer {
        let buffer = frame.buffer
        var request = ImageRequest()
        let isTurned = frame.attachments.uprightTurn.isTransposed
        let upright = isTurned ? buffer.size.transposed : buffer.size
        let isSameColor =
            !format.isYUV
            || (buffer.format.isYUV && buffer.colorSpace.matrix == colorSpace.matrix
                && buffer.colorSpace.range == colorSpace.range)
        if buffer.format != format || !isSameColor {
            request.pixelFormat = format
            if format.isYUV { request.colorSpace = colorSpace }
        }
        if upright != size {
            if (0...1).contains(upright.width - size.width), (0...1).contains(upright.height - size.height) {
                // A row or column that the codec cannot encode is cropped, so that no pixel is resampled.
                let kept = isTurned ? size.transposed : size
                request.crop = PixelRect(x: 0, y: 0, width: kept.width, height: kept.height)
            } else {
                request.size = size
                request.fit = fit
            }
            request.pixelFormat = format
        }
        var frame = frame
        frame.pool = frame.pool ?? pool
        let picture = try frame.uprightImage(request)
        guard picture.size != size else { return picture }
        return try padded(picture)
    }

    /// Returns the frame centered on a black background.
    private func padded(_ picture: PixelBuffer) throws -> PixelBuffer {
        let black = try self.black ?? makeBlack()
        self.black = black
        var canvas = try black.copy(in: pool)
        // Even offsets, because of chroma subsampling.
        let x = (size.width - picture.width) / 4 * 2
        let y = (size.height - picture.height) / 4 * 2
        try canvas.paste(picture, x: x, y: y)
        return canvas
    }

    private func makeBlack() throws -> PixelBuffer {
        let zeros = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
        var request = ImageRequest(pixelFormat: format)
        if format.isYUV { request.colorSpace = colorSpace }
        return try ImageTransformer.transform(zeros, request)
    }
}
