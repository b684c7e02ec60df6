// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// H.264, as ``AVVideoCodecType/h264``; the older name.
public let AVVideoCodecH264 = "avc1"

/// A video codec.
public struct AVVideoCodecType: RawRepresentable, Sendable, Hashable {
    /// The four-character code.
    public let rawValue: String

    /// Creates a codec from its four-character code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// H.264.
    public static let h264 = AVVideoCodecType(rawValue: "avc1")
    /// HEVC (H.265).
    public static let hevc = AVVideoCodecType(rawValue: "hvc1")
    /// One JPEG per frame.
    public static let jpeg = AVVideoCodecType(rawValue: "jpeg")

    /// The codec of the engine; nil for a codec that it cannot encode.
    var codec: VideoCodec? {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        case .jpeg: .mjpeg
        default: nil
        }
    }
}
