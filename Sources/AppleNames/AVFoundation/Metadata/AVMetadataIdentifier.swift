// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The identifier of a property: its key space and its key.
public struct AVMetadataIdentifier: RawRepresentable, Sendable, Hashable {
    /// The text, such as `mdta/com.apple.quicktime.title`.
    public let rawValue: String

    /// Creates an identifier from its text, such as `mdta/com.apple.quicktime.title`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identifier from its text, such as `mdta/com.apple.quicktime.title`.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    init(common key: AVMetadataKey) { self.init("common/\(key.rawValue)") }
    private init(quickTime key: String) { self.init("mdta/com.apple.quicktime.\(key)") }

    // MARK: Common

    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier("common/title")
    /// The creator: the same property as the author.
    public static let commonIdentifierCreator = AVMetadataIdentifier("common/creator")
    /// A description of the content.
    public static let commonIdentifierDescription = AVMetadataIdentifier("common/description")
    /// The date of capture, in ISO 8601.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("common/creationDate")
    /// The location of capture, in ISO 6709.
    public static let commonIdentifierLocation = AVMetadataIdentifier("common/location")
    /// The copyright notice.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("common/copyrights")
    /// The author.
    public static let commonIdentifierAuthor = AVMetadataIdentifier("common/author")
    /// The artist.
    public static let commonIdentifierArtist = AVMetadataIdentifier("common/artist")
    /// The manufacturer of the camera.
    public static let commonIdentifierMake = AVMetadataIdentifier("common/make")
    /// The model of the camera.
    public static let commonIdentifierModel = AVMetadataIdentifier("common/model")
    /// The program that wrote the file.
    public static let commonIdentifierSoftware = AVMetadataIdentifier("common/software")

    // MARK: Metadata of QuickTime

    /// The author.
    public static let quickTimeMetadataAuthor = AVMetadataIdentifier(quickTime: "author")
    /// A comment.
    public static let quickTimeMetadataComment = AVMetadataIdentifier(quickTime: "comment")
    /// The copyright notice.
    public static let quickTimeMetadataCopyright = AVMetadataIdentifier(quickTime: "copyright")
    /// The date of capture, in ISO 8601.
    public static let quickTimeMetadataCreationDate = AVMetadataIdentifier(quickTime: "creationdate")
    /// The name to show.
    public static let quickTimeMetadataDisplayName = AVMetadataIdentifier(quickTime: "displayname")
    /// Information about the movie.
    public static let quickTimeMetadataInformation = AVMetadataIdentifier(quickTime: "information")
    /// Keywords, separated by commas.
    public static let quickTimeMetadataKeywords = AVMetadataIdentifier(quickTime: "keywords")
    /// The manufacturer of the camera.
    public static let quickTimeMetadataMake = AVMetadataIdentifier(quickTime: "make")
    /// The model of the camera.
    public static let quickTimeMetadataModel = AVMetadataIdentifier(quickTime: "model")
    /// The program that wrote the file.
    public static let quickTimeMetadataSoftware = AVMetadataIdentifier(quickTime: "software")
    /// The title.
    public static let quickTimeMetadataTitle = AVMetadataIdentifier(quickTime: "title")
    /// A description of the content.
    public static let quickTimeMetadataDescription = AVMetadataIdentifier(quickTime: "description")
    /// The artist.
    public static let quickTimeMetadataArtist = AVMetadataIdentifier(quickTime: "artist")
    /// The location of capture, in ISO 6709.
    public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier(quickTime: "location.ISO6709")
    /// The name of the location.
    public static let quickTimeMetadataLocationName = AVMetadataIdentifier(quickTime: "location.name")
    /// An identifier that is the same in a photo and its movie.
    public static let quickTimeMetadataContentIdentifier = AVMetadataIdentifier(quickTime: "content.identifier")

    // MARK: User data of QuickTime

    /// The artist.
    public static let quickTimeUserDataArtist = AVMetadataIdentifier("udta/%A9ART")
    /// The author.
    public static let quickTimeUserDataAuthor = AVMetadataIdentifier("udta/%A9aut")
    /// The copyright notice.
    public static let quickTimeUserDataCopyright = AVMetadataIdentifier("udta/%A9cpy")
    /// The date of capture, in ISO 8601.
    public static let quickTimeUserDataCreationDate = AVMetadataIdentifier("udta/%A9day")
    /// A description of the content.
    public static let quickTimeUserDataDescription = AVMetadataIdentifier("udta/%A9des")
    /// The title.
    public static let quickTimeUserDataFullName = AVMetadataIdentifier("udta/%A9nam")
    /// Keywords, separated by commas.
    public static let quickTimeUserDataKeywords = AVMetadataIdentifier("udta/%A9key")
    /// The manufacturer of the camera.
    public static let quickTimeUserDataMake = AVMetadataIdentifier("udta/%A9mak")
    /// The model of the camera.
    public static let quickTimeUserDataModel = AVMetadataIdentifier("udta/%A9mod")
    /// The program that wrote the file.
    public static let quickTimeUserDataSoftware = AVMetadataIdentifier("udta/%A9swr")
    /// The location of capture, in ISO 6709.
    public static let quickTimeUserDataLocationISO6709 = AVMetadataIdentifier("udta/%A9xyz")

    // MARK: iTunes

    /// The title.
    public static let iTunesMetadataSongName = AVMetadataIdentifier("itsk/%A9nam")
    /// The artist.
    public static let iTunesMetadataArtist = AVMetadataIdentifier("itsk/%A9ART")
    /// The author.
    public static let iTunesMetadataAuthor = AVMetadataIdentifier("itsk/%A9aut")
    /// The copyright notice.
    public static let iTunesMetadataCopyright = AVMetadataIdentifier("itsk/cprt")
    /// A description of the content.
    public static let iTunesMetadataDescription = AVMetadataIdentifier("itsk/%A9des")
    /// The date, in ISO 8601.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier("itsk/%A9day")
    /// The program that wrote the file.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("itsk/%A9too")
}
