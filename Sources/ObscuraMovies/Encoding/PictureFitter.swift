// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraImaging
internal import ObscuraMedia

/// Makes each frame a picture of the movie: upright, of its size, format and colours. One thread at a time.
///
/// A frame that is so already is handed on as it is.
final class PictureFitter {
    let size: PixelSize
    let format: PixelFormat
    let colorSpace: ColorSpace
    private let fit: ImageRequest.Fit
    /// No more than an encoder holds; what is more goes back to the system.
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
                // One row or column too many for the codec is left out, so that no pixel changes.
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

    /// The picture in the middle of a black one.
    private func padded(_ picture: PixelBuffer) throws -> PixelBuffer {
        let black = try self.black ?? makeBlack()
        self.black = black
        var canvas = try black.copy(in: pool)
        // At even places, where chroma begins.
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
