// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The key of a property in a key space.
public struct AVMetadataKey: RawRepresentable, Sendable, Hashable {
    /// The text.
    public let rawValue: String

    /// Creates a key from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a key from its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    private init(quickTime key: String) { self.init("com.apple.quicktime.\(key)") }

    // MARK: Common

    /// The title.
    public static let commonKeyTitle = AVMetadataKey("title")
    /// The creator: the same property as the author.
    public static let commonKeyCreator = AVMetadataKey("creator")
    /// A description of the content.
    public static let commonKeyDescription = AVMetadataKey("description")
    /// The date of capture, in ISO 8601.
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    /// The location of capture, in ISO 6709.
    public static let commonKeyLocation = AVMetadataKey("location")
    /// The copyright notice.
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey("author")
    /// The artist.
    public static let commonKeyArtist = AVMetadataKey("artist")
    /// The manufacturer of the camera.
    public static let commonKeyMake = AVMetadataKey("make")
    /// The model of the camera.
    public static let commonKeyModel = AVMetadataKey("model")
    /// The program that wrote the file.
    public static let commonKeySoftware = AVMetadataKey("software")

    // MARK: Metadata of QuickTime

    /// The author.
    public static let quickTimeMetadataKeyAuthor = AVMetadataKey(quickTime: "author")
    /// A comment.
    public static let quickTimeMetadataKeyComment = AVMetadataKey(quickTime: "comment")
    /// The copyright notice.
    public static let quickTimeMetadataKeyCopyright = AVMetadataKey(quickTime: "copyright")
    /// The date of capture, in ISO 8601.
    public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(quickTime: "creationdate")
    /// The name to show.
    public static let quickTimeMetadataKeyDisplayName = AVMetadataKey(quickTime: "displayname")
    /// Information about the movie.
    public static let quickTimeMetadataKeyInformation = AVMetadataKey(quickTime: "information")
    /// Keywords, separated by commas.
    public static let quickTimeMetadataKeyKeywords = AVMetadataKey(quickTime: "keywords")
    /// The manufacturer of the camera.
    public static let quickTimeMetadataKeyMake = AVMetadataKey(quickTime: "make")
    /// The model of the camera.
    public static let quickTimeMetadataKeyModel = AVMetadataKey(quickTime: "model")
    /// The program that wrote the file.
    public static let quickTimeMetadataKeySoftware = AVMetadataKey(quickTime: "software")
    /// The title.
    public static let quickTimeMetadataKeyTitle = AVMetadataKey(quickTime: "title")
    /// A description of the content.
    public static let quickTimeMetadataKeyDescription = AVMetadataKey(quickTime: "description")
    /// The artist.
    public static let quickTimeMetadataKeyArtist = AVMetadataKey(quickTime: "artist")
    /// The location of capture, in ISO 6709.
    public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(quickTime: "location.ISO6709")
    /// The name of the location.
    public static let quickTimeMetadataKeyLocationName = AVMetadataKey(quickTime: "location.name")
    /// An identifier that is the same in a photo and its movie.
    public static let quickTimeMetadataKeyContentIdentifier = AVMetadataKey(quickTime: "content.identifier")

    // MARK: User data of QuickTime

    /// The artist.
    public static let quickTimeUserDataKeyArtist = AVMetadataKey("@ART")
    /// The author.
    public static let quickTimeUserDataKeyAuthor = AVMetadataKey("@aut")
    /// The copyright notice.
    public static let quickTimeUserDataKeyCopyright = AVMetadataKey("@cpy")
    /// The date of capture, in ISO 8601.
    public static let quickTimeUserDataKeyCreationDate = AVMetadataKey("@day")
    /// A description of the content.
    public static let quickTimeUserDataKeyDescription = AVMetadataKey("@des")
    /// The title.
    public static let quickTimeUserDataKeyFullName = AVMetadataKey("@nam")
    /// Keywords, separated by commas.
    public static let quickTimeUserDataKeyKeywords = AVMetadataKey("@key")
    /// The manufacturer of the camera.
    public static let quickTimeUserDataKeyMake = AVMetadataKey("@mak")
    /// The model of the camera.
    public static let quickTimeUserDataKeyModel = AVMetadataKey("@mod")
    /// The program that wrote the file.
    public static let quickTimeUserDataKeySoftware = AVMetadataKey("@swr")
    /// The location of capture, in ISO 6709.
    public static let quickTimeUserDataKeyLocationISO6709 = AVMetadataKey("@xyz")

    // MARK: iTunes

    /// The title.
    public static let iTunesMetadataKeySongName = AVMetadataKey("@nam")
    /// The artist.
    public static let iTunesMetadataKeyArtist = AVMetadataKey("@ART")
    /// The author.
    public static let iTunesMetadataKeyAuthor = AVMetadataKey("@aut")
    /// The copyright notice.
    public static let iTunesMetadataKeyCopyright = AVMetadataKey("cprt")
    /// A description of the content.
    public static let iTunesMetadataKeyDescription = AVMetadataKey("@des")
    /// The date, in ISO 8601.
    public static let iTunesMetadataKeyReleaseDate = AVMetadataKey("@day")
    /// The program that wrote the file.
    public static let iTunesMetadataKeyEncodingTool = AVMetadataKey("@too")
}

/// Makes `key as NSString` and `key as (NSCopying & NSObjectProtocol)?` compile, as on Apple's platforms.
extension AVMetadataKey: _ObjectiveCBridgeable {
    /// Returns the text of the key.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    /// Creates a key from its text.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) {
        result = AVMetadataKey(source as String)
    }

    /// Creates a key from its text.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) -> Bool {
        result = AVMetadataKey(source as String)
        return true
    }

    /// Creates a key from its text. Nil creates an empty key.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVMetadataKey {
        AVMetadataKey(source.map { $0 as String } ?? "")
    }
}
