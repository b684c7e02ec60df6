// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What a photo or a movie says of itself: one type for both.
///
/// Each file format keeps what it has a place for; see `PhotoOutput` and `AssetWriter` for which one that is.
public struct Metadata: Sendable, Hashable, Codable {
    /// When it was taken, with parts of a second and the zone of the clock on the wall.
    public var date: WallTime?
    /// Where it was taken.
    public var location: GeographicLocation?
    /// Who made the camera.
    public var make: String?
    /// Which camera it was.
    public var model: String?
    /// Which program wrote the file.
    public var software: String?
    /// What it is called.
    public var title: String?
    /// What is to be seen and heard.
    public var description: String?
    /// Who made it.
    public var author: String?
    /// Whose it is, such as `© 2026 Ada`.
    public var copyright: String?
    /// The language of sound and words, as three letters of ISO 639-2, such as `eng`.
    public var language: String?
    /// How the light came in. For photos.
    public var exposure: Exposure?
    /// Keys of your own. For movies.
    public var custom: [String: String] = [:]

    /// How the light of a photo came in, as far as the camera says.
    public struct Exposure: Sendable, Hashable, Codable {
        /// For how long, in seconds.
        public var duration: Double?
        /// The sensitivity, as an ISO number.
        public var iso: Int?
        /// The exposure that was asked for beside the right one, in EV.
        public var bias: Double?
        /// The f-number.
        public var aperture: Double?
        /// In millimetres.
        public var focalLength: Double?
        /// Whether the flash fired; nil where there is none.
        public var flashFired: Bool?

        /// Nothing is known.
        public init() {}
    }

    /// Nothing is said.
    public init() {}
}

extension Metadata {
    /// What `other` says, and for the rest what this one says; of ``custom`` each key by itself.
    public func merging(_ other: Metadata) -> Metadata {
        var merged = self
        merged.date = other.date ?? date
        merged.location = other.location ?? location
        merged.make = other.make ?? make
        merged.model = other.model ?? model
        merged.software = other.software ?? software
        merged.title = other.title ?? title
        merged.description = other.description ?? description
        merged.author = other.author ?? author
        merged.copyright = other.copyright ?? copyright
        merged.language = other.language ?? language
        merged.exposure = other.exposure ?? exposure
        merged.custom.merge(other.custom) { $1 }
        return merged
    }
}
