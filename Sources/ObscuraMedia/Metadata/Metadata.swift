// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Metadata of a photo or a movie: one type for both.
///
/// Each file format stores the properties that it supports. `StillProperties` lists the properties of photos. Movies
/// store ``date`` (to the millisecond), ``location``, ``make``, ``model``, ``software``, ``title``, ``description``,
/// ``author``, ``copyright``, ``keywords``, ``translations`` and ``custom`` as tags of the container, and ``language`` as the
/// language of the streams. Movies do not store ``exposure``. MP4 and QuickTime files use the tags of QuickTime, such as
/// `com.apple.quicktime.title`.
public struct Metadata: Sendable, Hashable, Codable {
    /// The time of capture, with fractions of a second and the local time zone.
    public var date: WallTime?
    /// The location of capture.
    public var location: GeographicLocation?
    /// The manufacturer of the camera.
    public var make: String?
    /// The model of the camera.
    public var model: String?
    /// The program that wrote the file.
    public var software: String?
    /// The title.
    public var title: String?
    /// A description of the content.
    public var description: String?
    /// The author.
    public var author: String?
    /// The copyright notice, such as `© 2026 Ada`.
    public var copyright: String?
    /// Keywords, such as `garden`. In movies, a keyword must not contain a comma, because commas separate the keywords.
    public var keywords: [String] = []
    /// The language of audio and text, as three letters of ISO 639-2, such as `eng`.
    public var language: String?
    /// Translations of ``title``, ``description`` and ``copyright``, by language code. Movies support only three-letter
    /// codes of ISO 639-2, such as `deu`. Photos also support the codes of IETF BCP 47, such as `pt-BR`.
    public var translations: [String: Translation] = [:]
    /// The exposure; stored only in photos.
    public var exposure: Exposure?
    /// Custom keys and values: tags of a movie, or a list in the XMP of a photo. When a movie is read, tags that have
    /// no other property in this type are added here.
    public var custom: [String: String] = [:]

    /// The exposure of a photo, as far as the camera reports it.
    public struct Exposure: Sendable, Hashable, Codable {
        /// The exposure time, in seconds.
        public var duration: Double?
        /// The sensitivity, as an ISO speed.
        public var iso: Int?
        /// The exposure compensation, in EV.
        public var bias: Double?
        /// The f-number.
        public var aperture: Double?
        /// The focal length, in millimeters.
        public var focalLength: Double?
        /// Whether the flash fired; nil if unknown, or if the camera has no flash.
        public var flashFired: Bool?

        /// Creates an exposure without values.
        public init() {}
    }

    /// Creates empty metadata.
    public init() {}

    /// Decodes metadata. Missing lists are empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        date = try container.decodeIfPresent(WallTime.self, forKey: .date)
        location = try container.decodeIfPresent(GeographicLocation.self, forKey: .location)
        make = try container.decodeIfPresent(String.self, forKey: .make)
        model = try container.decodeIfPresent(String.self, forKey: .model)
        software = try container.decodeIfPresent(String.self, forKey: .software)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        author = try container.decodeIfPresent(String.self, forKey: .author)
        copyright = try container.decodeIfPresent(String.self, forKey: .copyright)
        keywords = try container.decodeIfPresent([String].self, forKey: .keywords) ?? []
        language = try container.decodeIfPresent(String.self, forKey: .language)
        translations = try container.decodeIfPresent([String: Translation].self, forKey: .translations) ?? [:]
        exposure = try container.decodeIfPresent(Exposure.self, forKey: .exposure)
        custom = try container.decodeIfPresent([String: String].self, forKey: .custom) ?? [:]
    }
}

extension Metadata {
    /// The keywords as one text, separated by commas; nil without keywords.
    package var keywordText: String? {
        get { keywords.isEmpty ? nil : keywords.joined(separator: ", ") }
        set {
            let parts = (newValue ?? "").split(separator: ",")
            keywords = parts.map { String($0.trimmingPrefix(while: \.isWhitespace)) }.filter { !$0.isEmpty }
        }
    }

    /// Returns a copy in which the properties of `other` that are neither nil nor empty replace the properties of this
    /// metadata. ``custom`` is merged key by key, and ``translations`` text by text.
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
        merged.keywords = other.keywords.isEmpty ? keywords : other.keywords
        merged.language = other.language ?? language
        merged.translations.merge(other.translations) { $0.merging($1) }
        merged.exposure = other.exposure ?? exposure
        merged.custom.merge(other.custom) { $1 }
        return merged
    }
}
