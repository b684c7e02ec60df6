// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A converter of decoded frames to ``PixelBuffer`` values: over the decoder's memory if Obscura supports the format,
/// otherwise converted by swscale.
package final class FrameImporter {
    /// A pool for converted frames. If all of its buffers are in use, new memory is allocated.
    private let pool = PixelBufferPool(capacity: 32)
    private let subject: String
    private let maximumSize: PixelSize
    private let isJPEG: Bool
    private var colors: FrameColors?
    private var format: PixelFormat?
    private var colorSpace = ColorSpace.assumed
    private var scaler: Scaler?

    package init(subject: String, maximumSize: PixelSize, isJPEG: Bool) {
        self.subject = subject
        self.maximumSize = maximumSize
        self.isJPEG = isJPEG
    }

    /// Returns the pixel buffer of `frame`, and takes ownership of it: the frame must not be used afterwards.
    package func buffer(_ frame: Frame) throws(ObscuraError) -> PixelBuffer {
        let colors = FrameColors(frame, isJPEG: isJPEG)
        if colors != self.colors {
            self.colors = colors
            format = FramePixels.nearest(frame.pixelFormat)
            colorSpace = colors.colorSpace(for: format ?? .i420)
        }
        guard let format else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject,
                reason: "its frames are in the memory of a GPU, which is not supported")
        }
        guard frame.width <= maximumSize.width, frame.height <= maximumSize.height else {
            throw .tooLarge(subject, width: frame.width, height: frame.height, limit: maximumSize)
        }
        if FramePixels.direct(frame.pixelFormat) == format, let planes = frame.planes(as: format) {
            let storage = PixelStorage(planes: planes, owner: ImportedFrame(frame))
            return PixelBuffer(
                storage: storage, format: format, width: frame.width, height: frame.height, colorSpace: colorSpace)
        }
        return try converted(frame, to: format, isFullRange: colors.isFullRange)
    }

    private func converted(
        _ frame: Frame, to format: PixelFormat, isFullRange: Bool
    ) throws(ObscuraError) -> PixelBuffer {
        let key = Scaler.Key(
            width: frame.width, height: frame.height, source: frame.pixelFormat, target: format,
            isFullRange: isFullRange)
        if scaler?.key != key { scaler = Scaler(key) }
        guard let scaler else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject,
                reason: "its frames (\(Self.name(frame.pixelFormat))) cannot be converted")
        }
        do {
            var buffer = try makeBuffer(format, frame)
            if try scaler.scale(frame, into: &buffer) { return buffer }
        } catch let error as ObscuraError where error.code == .invalidSize {
            throw .tooLarge(subject, width: frame.width, height: frame.height, limit: maximumSize)
        } catch {
            throw .outOfMemory(.movies, subject)
        }
        throw ObscuraError(.movies, .unreadable, subject: subject, reason: "a frame could not be converted")
    }

    private func makeBuffer(_ format: PixelFormat, _ frame: Frame) throws(ObscuraError) -> PixelBuffer {
        do {
            return try pool.makeBuffer(
                format: format, width: frame.width, height: frame.height, colorSpace: colorSpace)
        } catch  where error.code == .poolExhausted {
            return try PixelBuffer(format: format, width: frame.width, height: frame.height, colorSpace: colorSpace)
        }
    }

    private static func name(_ format: AVPixelFormat) -> String {
        libav.av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"
    }
}

extension ObscuraError {
    package static func tooLarge(_ subject: String, width: Int, height: Int, limit: PixelSize) -> ObscuraError {
        ObscuraError(
            .movies, .tooLarge, subject: subject,
            reason: "its frame size is \(width)x\(height), and the maximum is \(limit)")
    }
}

/// A frame of FFmpeg whose memory a pixel buffer uses.
private final class ImportedFrame: PixelMemoryOwner {
    private let frame: Frame

    init(_ frame: Frame) {
        self.frame = frame
    }

    deinit {
        frame.unreference()
    }

    /// Whether the decoder does not refer to the frame.
    var mayWrite: Bool { frame.isWritable }
}
