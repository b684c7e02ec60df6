// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What one must know of a stream of compressed pictures beside the pictures themselves.
public struct VideoParameters: Sendable, Hashable {
    /// How they are compressed.
    public let codec: VideoCodec
    /// In pixels.
    public let size: PixelSize
    /// The parameter sets of H.264 (SPS, PPS) and HEVC (VPS, SPS, PPS), as a byte stream with start codes (Annex B);
    /// empty for codecs that have none. Each key frame that is handed out begins with them.
    public let sets: [UInt8]
    /// FFmpeg's name of the encoder.
    public let encoder: String

    package init(codec: VideoCodec, size: PixelSize, sets: [UInt8], encoder: String) {
        self.codec = codec
        self.size = size
        self.sets = sets
        self.encoder = encoder
    }

    /// Nil for what an ``EncodedFrame`` cannot be.
    package var frameFormat: PixelFormat? {
        switch codec {
        case .h264: .h264
        case .mjpeg: .mjpeg
        case .hevc: .hevc
        case .ffv1: nil
        }
    }
}
