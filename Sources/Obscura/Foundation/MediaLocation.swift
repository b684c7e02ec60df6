// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import FoundationEssentials
public import SystemPackage

/// A file or a network address. Every function that takes a path or an address as a `String` also takes a `URL` or a
/// `FilePath`, with the same argument label.
public protocol MediaLocation {
    /// The path of a file, or the complete network address.
    var mediaLocation: String { get }
}

extension URL: MediaLocation {
    /// The path of a file URL, without percent-encoding. For any other URL, the complete URL, including a password.
    public var mediaLocation: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension FilePath: MediaLocation {
    /// The unchanged path.
    public var mediaLocation: String { string }
}

extension MediaLocation {
    /// The name for ``CaptureDevice/named(_:reading:)-(String,_)``. A relative path begins with `./`, since a file may
    /// have the same name as a device.
    var sourceName: String {
        let location = mediaLocation
        return location.hasPrefix("/") || location.contains("://") ? location : "./\(location)"
    }
}
