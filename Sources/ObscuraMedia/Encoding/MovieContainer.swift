// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A container format for writing movies.
public enum MovieContainer: String, Sendable, Hashable, CaseIterable, Codable {
    /// MPEG-4, supported by nearly all players.
    case mp4
    /// QuickTime.
    case mov
    /// Matroska, which supports every codec.
    case mkv

    /// Creates the container for the file name extension of a path; nil if the extension is unknown.
    public init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "mp4", "m4v", "m4a": self = .mp4
        case "mov", "qt": self = .mov
        case "mkv", "mka", "mk3d": self = .mkv
        default: return nil
        }
    }

    /// Whether the container supports the video codec.
    public func takes(_ codec: VideoCodec) -> Bool {
        switch self {
        case .mp4: codec != .ffv1
        case .mov, .mkv: true
        }
    }

    /// Whether the container supports the audio codec.
    public func takes(_ codec: AudioCodec) -> Bool {
        switch (self, codec) {
        case (_, .aac), (.mkv, _), (.mp4, .opus), (.mp4, .flac), (.mov, .pcm): true
        default: false
        }
    }

    /// Whether a movie is recorded in fragments and rewritten when the recording ends.
    package var isFragmented: Bool { self != .mkv }
}

/// A video codec.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable, Codable {
    /// H.264, also called AVC.
    case h264
    /// H.265: smaller files at a higher encoding cost.
    case hevc
    /// One JPEG per frame.
    case mjpeg
    /// FFV1, lossless.
    case ffv1

    /// The codec of compressed frames; nil for other formats.
    package init?(format: PixelFormat) {
        switch format {
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .mjpeg: self = .mjpeg
        case .ffv1: self = .ffv1
        default: return nil
        }
    }
}

/// An audio codec.
public enum AudioCodec: String, Sendable, Hashable, CaseIterable, Codable {
    /// AAC-LC.
    case aac
    /// Opus, always at 48 kHz.
    case opus
    /// FLAC, lossless.
    case flac
    /// Uncompressed, 16 bits per sample.
    case pcm
}

extension PixelFormat {
    /// The format of the compressed frames of a codec.
    package init(_ codec: VideoCodec) {
        self =
            switch codec {
            case .h264: .h264
            case .hevc: .hevc
            case .mjpeg: .mjpeg
            case .ffv1: .ffv1
            }
    }
}
