// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraFFmpeg
public import ObscuraMedia

/// FFmpeg's decoders for cameras that send H.264.
public struct FFmpegDecoders: FrameDecoderProvider {
    /// The decoders of this build; all values are the same.
    public init() {}

    /// A decoder that gives each picture as soon as its stream allows it; nil for a format whose pictures need
    /// none, or are decoded one by one.
    ///
    /// - Throws: ``ObscuraError`` if FFmpeg was built without it.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        guard format.pixelFormat == .h264 else { return nil }
        return try LiveDecoder(format)
    }

    /// Whether the FFmpeg of this machine can decode frames of the format; distributions leave decoders out. True for
    /// formats that are not compressed.
    public static func canDecode(_ format: PixelFormat) -> Bool { DecoderSupport.canDecode(format) }
}
