// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A kind of movie file that can be written.
public enum MovieContainer: String, Sendable, Hashable, CaseIterable, Codable {
    /// MPEG-4, which everything plays.
    case mp4
    /// QuickTime.
    case mov
    /// Matroska, which takes every codec.
    case mkv

    /// The container that a file's name asks for; nil for a name that asks for none of them.
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

    /// Whether the file may hold such pictures.
    public func takes(_ codec: VideoCodec) -> Bool {
        switch self {
        case .mp4: codec != .ffv1
        case .mov, .mkv: true
        }
    }

    /// Whether the file may hold such sound.
    public func takes(_ codec: AudioCodec) -> Bool {
        switch (self, codec) {
        case (_, .aac), (.mkv, _), (.mp4, .opus), (.mp4, .flac), (.mov, .pcm): true
        default: false
        }
    }

    /// Whether it is recorded in fragments, and rewritten when it ends.
    package var isFragmented: Bool { self != .mkv }
}

/// How pictures are compressed.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable, Codable {
    /// H.264, also called AVC.
    case h264
    /// H.265: smaller files for more work.
    case hevc
    /// A JPEG for each frame.
    case mjpeg
    /// Without any loss.
    case ffv1
}

/// How sound is compressed.
public enum AudioCodec: String, Sendable, Hashable, CaseIterable, Codable {
    /// AAC-LC.
    case aac
    /// Always at 48 kHz.
    case opus
    /// Without any loss.
    case flac
    /// Not at all: 16 bits a sample.
    case pcm
}
