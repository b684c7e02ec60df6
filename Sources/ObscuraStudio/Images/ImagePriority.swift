// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The order in which an ``ImageLoader`` loads images.
public enum ImagePriority: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// Loaded after all others.
    case background
    /// Visible soon, for example just outside the visible part of a list.
    case nearby
    /// Visible now.
    case visible

    /// Whether images of the first priority are loaded after images of the second one.
    public static func < (one: ImagePriority, other: ImagePriority) -> Bool { one.rawValue < other.rawValue }
}
