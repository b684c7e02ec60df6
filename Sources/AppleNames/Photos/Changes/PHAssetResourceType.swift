// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The role of a file of an asset. Each asset has one file.
public enum PHAssetResourceType: Int, Sendable {
    /// A photo.
    case photo = 1
    /// A movie.
    case video = 2
}
