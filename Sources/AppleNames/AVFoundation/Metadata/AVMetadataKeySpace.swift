// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The namespace of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a key space from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a key space from its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Keys that several kinds of files have in common.
    public static let common = AVMetadataKeySpace("comn")
    /// QuickTime metadata: the key space of all metadata that is read from movies.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// User data of QuickTime.
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// Metadata of iTunes.
    public static let iTunes = AVMetadataKeySpace("itsk")

    /// The prefix of the identifiers of the key space.
    var identifierPrefix: String { self == .common ? "common" : rawValue }

    init(identifierPrefix prefix: String) { self.init(prefix == "common" ? "comn" : prefix) }
}
