// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The kind of an asset.
public enum PHAssetMediaType: Int, Sendable {
    /// Another kind.
    case unknown = 0
    /// A photo.
    case image = 1
    /// A movie.
    case video = 2
    /// Sound. The library has none.
    case audio = 3
}
