// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A format of metadata in files.
public struct AVMetadataFormat: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a format from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a format from its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Metadata of QuickTime.
    public static let quickTimeMetadata = AVMetadataFormat("com.apple.quicktime.mdta")
    /// User data of QuickTime.
    public static let quickTimeUserData = AVMetadataFormat("com.apple.quicktime.udta")
    /// User data of ISO files.
    public static let isoUserData = AVMetadataFormat("org.mp4ra")
    /// Metadata of iTunes.
    public static let iTunesMetadata = AVMetadataFormat("com.apple.itunes")
}
