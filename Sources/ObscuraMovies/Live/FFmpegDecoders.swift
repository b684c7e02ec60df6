// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraFFmpeg
public import ObscuraMedia

/// FFmpeg's decoders for cameras that send H.264.
public struct FFmpegDecoders: FrameDecoderProvider {
    /// Creates a provider of the decoders of this build; all values are equal.
    public init() {}

    /// Returns a decoder that outputs each frame as soon as its stream allows it, or nil for a format whose frames need
    /// no decoder or are decoded individually.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedCodec` if FFmpeg was built without the decoder; `outOfMemory`.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        guard format.pixelFormat == .h264 else { return nil }
        return try LiveDecoder(format)
    }

    /// Whether the installed FFmpeg can decode this format; some distributions omit decoders. True for uncompressed
    /// formats.
    public static func canDecode(_ format: PixelFormat) -> Bool { DecoderSupport.canDecode(format) }
}
