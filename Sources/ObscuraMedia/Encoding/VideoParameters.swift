// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parameters of a compressed video stream: its codec, size and parameter sets.
public struct VideoParameters: Sendable, Hashable {
    /// The codec.
    public let codec: VideoCodec
    /// The size of the frames, in pixels.
    public let size: PixelSize
    /// The parameter sets of H.264 (SPS, PPS) and HEVC (VPS, SPS, PPS), as a byte stream with start codes (Annex B);
    /// empty for codecs without parameter sets. Each key frame of the encoder also starts with the parameter sets.
    public let sets: [UInt8]
    /// FFmpeg's name of the encoder, such as `libx264`.
    public let encoder: String

    package init(codec: VideoCodec, size: PixelSize, sets: [UInt8], encoder: String) {
        self.codec = codec
        self.size = size
        self.sets = sets
        self.encoder = encoder
    }

    /// The format of the stream's ``EncodedFrame`` values; nil for FFV1, which ``EncodedFrame`` does not support.
    package var frameFormat: PixelFormat? {
        switch codec {
        case .h264: .h264
        case .mjpeg: .mjpeg
        case .hevc: .hevc
        case .ffv1: nil
        }
    }
}
