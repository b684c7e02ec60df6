// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parameters of a compressed video stream: its codec, size and parameter sets.
public struct VideoParameters: Sendable, Hashable {
    /// The codec.
    public let codec: VideoCodec
    /// The size of the frames, in pixels.
    public let size: PixelSize
    /// The parameter sets of H.264 (SPS, PPS) and HEVC (VPS, SPS, PPS), as a byte stream with start codes (Annex B);
    /// empty for codecs without parameter sets. In a byte stream, each key frame also starts with the parameter sets.
    public let sets: [UInt8]
    /// The decoder configuration of H.264 (`avcC`) and HEVC (`hvcC`), for frames with length-prefixed units (ISO/IEC
    /// 14496-15); empty for other codecs.
    public var configuration: [UInt8] {
        switch codec {
        case .h264: DecoderConfiguration.h264(sets)
        case .hevc: DecoderConfiguration.hevc(sets, bitDepth: bitDepth)
        case .mjpeg, .ffv1: []
        }
    }

    /// Bits per sample.
    package let bitDepth: Int
    /// FFmpeg's name of the encoder, such as `libx264`; empty for a stream that Obscura did not encode.
    public let encoder: String

    package init(codec: VideoCodec, size: PixelSize, sets: [UInt8], bitDepth: Int, encoder: String) {
        self.codec = codec
        self.size = size
        self.sets = sets
        self.bitDepth = bitDepth
        self.encoder = encoder
    }

    /// The format of the stream's ``EncodedFrame`` values.
    package var frameFormat: PixelFormat { PixelFormat(codec) }
}
