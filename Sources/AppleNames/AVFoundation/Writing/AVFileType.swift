// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The type of a file, as a uniform type identifier.
public struct AVFileType: RawRepresentable, Sendable, Hashable {
    /// The identifier.
    public let rawValue: String

    /// Creates a type from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a type from its identifier.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// QuickTime (`.mov`).
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// MPEG-4 (`.mp4`).
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// MPEG-4 with the file name extension `.m4v`.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// MPEG-4 with sound only (`.m4a`).
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")

    /// JPEG (`.jpg`).
    public static let jpg = AVFileType(rawValue: "public.jpeg")

    /// The container of the type; nil for a type that cannot be written.
    var container: MovieContainer? {
        switch self {
        case .mov: .mov
        case .mp4, .m4v, .m4a: .mp4
        default: nil
        }
    }

    /// The kinds of media that a file of the type can contain.
    var mediaTypes: [AVMediaType] { self == .m4a ? [.audio] : [.video, .audio] }
}
