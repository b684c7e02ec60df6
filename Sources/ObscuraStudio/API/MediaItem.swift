// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A photo or a movie in the folder.
struct MediaItem: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable {
        case photo, movie
    }

    /// One line of what a file says of itself, for people.
    struct Fact: Codable, Sendable, Equatable {
        var label: String
        var value: String
    }

    /// The name of the file in the folder.
    var name: String
    var kind: Kind
    /// In bytes.
    var size: Int64
    /// When it was taken, or else when the file was changed; ISO 8601.
    var date: String
    /// Of the picture as it is shown: upright, and with its recipe applied. Nil where it cannot be read.
    var width: Int?
    var height: Int?
    /// Of a movie, in seconds.
    var duration: Double?
    var recipe: StillRecipe?
    var place: GeographicLocation?
    /// Only when one item is asked for.
    var metadata: [Fact]?
}
