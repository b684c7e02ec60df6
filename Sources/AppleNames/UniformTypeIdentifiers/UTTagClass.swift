// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A kind of tag of types: file name extensions, or MIME types.
public struct UTTagClass: RawRepresentable, Sendable, Hashable {
    /// The identifier.
    public let rawValue: String

    /// Creates a kind from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// File name extensions, without the dot.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}
