// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraFFmpeg
public import ObscuraMedia

/// A provider of FFmpeg's decoders, for cameras that send H.264.
public struct FFmpegDecoders: FrameDecoderProvider {
    /// Creates the provider.
    public init() {}

    /// Returns a low-latency decoder for H.264; nil for other formats, which need no decoder from FFmpeg.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedCodec` if FFmpeg was built without the decoder; `libraryMissing`; `outOfMemory`.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        guard format.pixelFormat == .h264 else { return nil }
        return try LiveDecoder(format)
    }

    /// Why FFmpeg cannot be loaded; nil if it can.
    package static var loadingFailure: ObscuraError? {
        do throws(ObscuraError) {
            try FFmpegLibrary.load()
            return nil
        } catch {
            return error
        }
    }

    /// Returns whether the installed FFmpeg can decode a format; true for uncompressed formats. Some distributions omit
    /// decoders.
    public static func canDecode(_ format: PixelFormat) -> Bool { DecoderSupport.canDecode(format) }
}
