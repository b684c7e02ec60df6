// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// An item of metadata: an identifier and a value.
///
/// These items are written to a movie, as QuickTime metadata:
///
/// - From any key space: the title, the description, the author, the copyright, the keywords, the make and the model of
///   the camera, the software, the date and the location.
/// - From ``AVMetadataKeySpace/quickTimeMetadata``: all other keys, unchanged.
///
/// All other items are ignored, as are dates that are not in ISO 8601, and locations that are not in ISO 6709. Values
/// are written as text: strings, numbers, dates and, for keywords, arrays of strings.
///
/// Items in several languages (``extendedLanguageTag``) are written as translations of the title, the description and
/// the copyright. Of each other property, only the first item is written. Thread-safe.
public class AVMetadataItem: NSObject, NSCopying, @unchecked Sendable {
    // `@unchecked Sendable` is safe because all state of this class and its subclass is in the lock.

    /// `@unchecked Sendable` is safe because the key and the value are copies that nobody changes.
    struct Values: @unchecked Sendable {
        var keySpace: AVMetadataKeySpace?
        var key: (any NSCopying & NSObjectProtocol)?
        var value: (any NSCopying & NSObjectProtocol)?
        var extendedLanguageTag: String?
    }

    private let state: Lock<Values>

    /// Creates an item without values; see ``AVMutableMetadataItem``.
    override public init() {
        state = Lock(Values())
        super.init()
    }

    init(_ values: Values) {
        state = Lock(values)
        super.init()
    }

    var values: Values { state.withLock { $0 } }

    func change(_ body: (inout Values) -> Void) {
        state.withLock { body(&$0) }
    }

    /// A copy that does not change.
    var snapshot: AVMetadataItem { AVMetadataItem(values) }

    /// Returns an item with the same values that does not change.
    public func copy(with zone: NSZone? = nil) -> Any { snapshot }

    // MARK: Identification

    /// The key space and the key; nil if one is missing.
    public var identifier: AVMetadataIdentifier? {
        let values = values
        guard let space = values.keySpace, let key = values.key else { return nil }
        return AVMetadataItem.identifier(forKey: key, keySpace: space)
    }

    /// The key space.
    public var keySpace: AVMetadataKeySpace? { values.keySpace }
    /// The key.
    public var key: (any NSCopying & NSObjectProtocol)? { values.key }
    /// The key of the property in ``AVMetadataKeySpace/common``; nil if the property has no common key.
    public var commonKey: AVMetadataKey? { identifier.flatMap(MetadataProperty.of)?.commonKey }
    /// The language of the value, as a tag of IETF BCP 47; nil if the value has no language.
    public var extendedLanguageTag: String? { values.extendedLanguageTag }
    /// The language of the value; nil if the value has no language.
    public var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }

    // MARK: Values

    /// The value.
    public var value: (any NSCopying & NSObjectProtocol)? { values.value }

    /// The value as text; nil if it is not a string or a number.
    public var stringValue: String? {
        let value = value
        return (value as? NSString).map { $0 as String } ?? (value as? NSNumber)?.stringValue
    }

    /// The value as a number; nil if it is not a number.
    public var numberValue: NSNumber? { value as? NSNumber }

    /// The value as a date; nil if it is not a date, or a text in ISO 8601.
    public var dateValue: Date? {
        let value = value
        if let date = value as? NSDate { return Date(timeIntervalSince1970: date.timeIntervalSince1970) }
        return (value as? NSString).flatMap { WallTime(metadata: $0 as String) }.map {
            Date(timeIntervalSince1970: Double($0.nanosecondsSince1970) / 1e9)
        }
    }

    /// The value as data; nil if it is not data.
    public var dataValue: Data? { (value as? NSData).map { Data(referencing: $0) } }
}
