// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import TestSupport
import Testing

/// Items of metadata, without a movie.
@Suite("AVMetadataItem") struct MetadataItemTests {
    private func item(
        _ identifier: AVMetadataIdentifier, _ value: (any NSCopying & NSObjectProtocol)? = nil
    ) -> AVMutableMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.value = value
        return item
    }

    static let keys: [(AVMetadataIdentifier, AVMetadataKeySpace, AVMetadataKey)] = [
        (.commonIdentifierTitle, .common, .commonKeyTitle),
        (.quickTimeMetadataLocationISO6709, .quickTimeMetadata, .quickTimeMetadataKeyLocationISO6709),
        (.quickTimeUserDataFullName, .quickTimeUserData, .quickTimeUserDataKeyFullName),
        (.iTunesMetadataSongName, .iTunes, .iTunesMetadataKeySongName),
        (.iTunesMetadataCopyright, .iTunes, .iTunesMetadataKeyCopyright),
    ]

    @Test("An identifier is a key space and a key, and both are an identifier", arguments: keys)
    func identifiers(identifier: AVMetadataIdentifier, space: AVMetadataKeySpace, key: AVMetadataKey) {
        let one = item(identifier)
        #expect(one.keySpace == space && one.key as? NSString == NSString(string: key.rawValue))
        let other = AVMutableMetadataItem()
        other.key = key as NSString
        #expect(other.identifier == nil)
        other.keySpace = space
        #expect(other.identifier == identifier)
        #expect(AVMetadataItem.identifier(forKey: key, keySpace: space) == identifier)
        #expect(AVMetadataItem.keySpace(forIdentifier: identifier) == space)
        #expect(AVMetadataItem.key(forIdentifier: identifier) as? String == key.rawValue)
        one.identifier = nil
        #expect(one.key == nil && one.keySpace == nil && one.identifier == nil)
    }

    @Test("Apple's values of identifiers, keys and key spaces")
    func constants() {
        #expect(AVMetadataIdentifier.commonIdentifierCopyrights.rawValue == "common/copyrights")
        #expect(
            AVMetadataIdentifier.quickTimeMetadataLocationISO6709.rawValue
                == "mdta/com.apple.quicktime.location.ISO6709")
        #expect(AVMetadataIdentifier.quickTimeUserDataArtist.rawValue == "udta/%A9ART")
        #expect(AVMetadataIdentifier.iTunesMetadataEncodingTool.rawValue == "itsk/%A9too")
        #expect(AVMetadataKey.quickTimeUserDataKeyLocationISO6709.rawValue == "@xyz")
        #expect(AVMetadataKeySpace.common.rawValue == "comn" && AVMetadataKeySpace.iTunes.rawValue == "itsk")
    }

    @Test("Text without a slash is no identifier")
    func noIdentifier() {
        let broken = item(AVMetadataIdentifier("title"))
        #expect(broken.identifier == nil && broken.keySpace == nil && broken.key == nil)
        #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("x")) == nil)
        #expect(AVMetadataItem.identifier(forKey: NSObject(), keySpace: .common) == nil)
    }

    @Test("A key is converted to a value of Foundation, as on Apple's platforms")
    func bridging() {
        let text = AVMetadataKey.commonKeyTitle as (any NSCopying & NSObjectProtocol)?
        #expect(text as? NSString == "title")
        let key: Any = NSString(string: "title")
        #expect(key as? AVMetadataKey == .commonKeyTitle)
    }

    @Test("Values have the forms that their type has")
    func values() throws {
        let title = item(.commonIdentifierTitle, NSString(string: "Eyes"))
        #expect(title.stringValue == "Eyes" && title.numberValue == nil && title.dateValue == nil)
        #expect(title.dataValue == nil)
        title.value = NSNumber(value: 2.5)
        #expect(title.stringValue == "2.5" && title.numberValue == 2.5 && title.dateValue == nil)
        let moment = Date(timeIntervalSince1970: 951_782_400)
        title.value = NSDate(timeIntervalSince1970: 951_782_400)
        #expect(title.dateValue == moment && title.stringValue == nil && title.numberValue == nil)
        title.value = NSString(string: "2000-02-29T01:00:00+0100")
        #expect(title.dateValue == moment)
        title.value = NSData(data: Data([1, 2, 3]))
        #expect(title.dataValue == Data([1, 2, 3]) && title.stringValue == nil)
        title.value = nil
        #expect(title.value == nil && title.stringValue == nil)
    }

    @Test("A value is a copy, and a copy of an item does not change")
    func copies() throws {
        let text = NSMutableString(string: "before")
        let mutable = item(.commonIdentifierTitle, text)
        text.setString("after")
        #expect(mutable.stringValue == "before")
        mutable.extendedLanguageTag = "de-CH"
        let copy = try #require(mutable.copy() as? AVMetadataItem)
        #expect(!(copy is AVMutableMetadataItem))
        mutable.value = NSString(string: "after")
        mutable.extendedLanguageTag = nil
        #expect(copy.stringValue == "before" && copy.identifier == .commonIdentifierTitle)
        #expect(copy.extendedLanguageTag == "de-CH" && copy.locale?.language.languageCode == "de")
        let again = try #require(copy.mutableCopy() as? AVMutableMetadataItem)
        again.value = NSString(string: "again")
        #expect(copy.stringValue == "before" && again.stringValue == "again")
        again.locale = Locale(identifier: "pt_BR")
        #expect(again.extendedLanguageTag == "pt-BR")
    }

    @Test("The metadata of a writer is that of the time at which it was set")
    func writerMetadata() throws {
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: "/tmp/never.mp4"), fileType: .mp4)
        let mutable = item(.commonIdentifierTitle, NSString(string: "before"))
        writer.metadata = [mutable]
        mutable.value = NSString(string: "after")
        #expect(writer.metadata.map(\.stringValue) == ["before"])
    }

    @Test("Items are found by their identifier, or by a key in common")
    func filters() {
        let items = [
            item(.quickTimeMetadataTitle, NSString(string: "1")),
            item(.quickTimeUserDataFullName, NSString(string: "2")),
            item(.commonIdentifierTitle, NSString(string: "3")), item(.quickTimeMetadataMake, NSString(string: "4")),
            item(AVMetadataIdentifier("mdta/org.example.note"), NSString(string: "5")), AVMutableMetadataItem(),
        ]
        func found(_ identifier: AVMetadataIdentifier) -> [String?] {
            AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier).map(\.stringValue)
        }
        #expect(found(.commonIdentifierTitle) == ["1", "2", "3"] && found(.quickTimeMetadataTitle) == ["1"])
        #expect(found(AVMetadataIdentifier("mdta/org.example.note")) == ["5"] && found(.commonIdentifierArtist) == [])
        func found(_ key: Any?, _ space: AVMetadataKeySpace?) -> [String?] {
            AVMetadataItem.metadataItems(from: items, withKey: key, keySpace: space).map(\.stringValue)
        }
        #expect(found(AVMetadataKey.commonKeyMake, .common) == ["4"] && found(nil, .common) == ["1", "2", "3", "4"])
        #expect(found("@nam", .quickTimeUserData) == ["2"] && found("@nam", nil) == ["2"])
        #expect(found(nil, .quickTimeMetadata) == ["1", "4", "5"] && found("@nam", .iTunes) == [])
        #expect(found(nil, nil).count == 6)
        #expect(
            items.map(\.commonKey) == [.commonKeyTitle, .commonKeyTitle, .commonKeyTitle, .commonKeyMake, nil, nil])
    }
}
