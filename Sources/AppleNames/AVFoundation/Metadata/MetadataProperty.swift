// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A property of ``Metadata`` and its identifiers.
enum MetadataProperty: String, CaseIterable {
    case title
    case description
    case author
    case artist
    case copyright
    case keywords
    case make
    case model
    case software
    case location = "location.ISO6709"
    case date = "creationdate"

    private static let prefix = "com.apple.quicktime."

    /// The tag in the files of the engine, which is also the key of the metadata of QuickTime.
    var tag: String { Self.prefix + rawValue }

    /// Whether it can have a text for each language.
    var isTranslated: Bool { self == .title || self == .description || self == .copyright }

    var commonKey: AVMetadataKey? {
        switch self {
        case .title: .commonKeyTitle
        case .description: .commonKeyDescription
        case .author: .commonKeyAuthor
        case .artist: .commonKeyArtist
        case .copyright: .commonKeyCopyrights
        case .keywords: nil
        case .make: .commonKeyMake
        case .model: .commonKeyModel
        case .software: .commonKeySoftware
        case .location: .commonKeyLocation
        case .date: .commonKeyCreationDate
        }
    }

    private static let properties: [AVMetadataIdentifier: MetadataProperty] = [
        .commonIdentifierTitle: .title, .quickTimeMetadataTitle: .title, .quickTimeUserDataFullName: .title,
        .iTunesMetadataSongName: .title,
        .commonIdentifierDescription: .description, .quickTimeMetadataDescription: .description,
        .quickTimeUserDataDescription: .description, .iTunesMetadataDescription: .description,
        .commonIdentifierAuthor: .author, .commonIdentifierCreator: .author, .quickTimeMetadataAuthor: .author,
        .quickTimeUserDataAuthor: .author, .iTunesMetadataAuthor: .author,
        .commonIdentifierArtist: .artist, .quickTimeMetadataArtist: .artist, .quickTimeUserDataArtist: .artist,
        .iTunesMetadataArtist: .artist,
        .commonIdentifierCopyrights: .copyright, .quickTimeMetadataCopyright: .copyright,
        .quickTimeUserDataCopyright: .copyright, .iTunesMetadataCopyright: .copyright,
        .quickTimeMetadataKeywords: .keywords, .quickTimeUserDataKeywords: .keywords,
        .commonIdentifierMake: .make, .quickTimeMetadataMake: .make, .quickTimeUserDataMake: .make,
        .commonIdentifierModel: .model, .quickTimeMetadataModel: .model, .quickTimeUserDataModel: .model,
        .commonIdentifierSoftware: .software, .quickTimeMetadataSoftware: .software,
        .quickTimeUserDataSoftware: .software, .iTunesMetadataEncodingTool: .software,
        .commonIdentifierLocation: .location, .quickTimeMetadataLocationISO6709: .location,
        .quickTimeUserDataLocationISO6709: .location,
        .commonIdentifierCreationDate: .date, .quickTimeMetadataCreationDate: .date,
        .quickTimeUserDataCreationDate: .date, .iTunesMetadataReleaseDate: .date,
    ]

    /// Returns the property of an identifier; nil if the engine has no such property.
    static func of(_ identifier: AVMetadataIdentifier) -> MetadataProperty? { properties[identifier] }
}
