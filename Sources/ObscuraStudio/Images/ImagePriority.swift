// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The order in which an ``ImageLoader`` loads images.
public enum ImagePriority: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// Loaded after all others.
    case background
    /// Soon visible, such as just outside of a list's visible part.
    case nearby
    /// Visible now.
    case visible

    /// Whether images of the first priority are loaded after those of the second.
    public static func < (one: ImagePriority, other: ImagePriority) -> Bool { one.rawValue < other.rawValue }
}
