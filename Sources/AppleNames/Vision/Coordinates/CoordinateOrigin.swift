// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The corner at which the coordinates of an image begin.
public enum CoordinateOrigin: Sendable, Hashable, Codable, CaseIterable {
    /// The lower left corner: the y axis points up.
    case lowerLeft
    /// The upper left corner: the y axis points down.
    case upperLeft
}
