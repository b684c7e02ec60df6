// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An item of metadata that can be changed; see ``AVMetadataItem``.
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // `@unchecked Sendable` is safe because it has no state of its own.

    /// The key space and the key, as one text. An identifier without a slash sets both to nil.
    override public var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set {
            let space = newValue.flatMap { AVMetadataItem.keySpace(forIdentifier: $0) }
            let key = newValue.flatMap { AVMetadataItem.key(forIdentifier: $0) as? NSString }
            change { values in
                values.keySpace = space
                values.key = key
            }
        }
    }

    /// The key space.
    override public var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { change { $0.keySpace = newValue } }
    }

    /// The key, such as `AVMetadataKey.commonKeyTitle as NSString`.
    override public var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set {
            let key = Self.copy(newValue)
            change { $0.key = key }
        }
    }

    /// The language of the value, as a tag of IETF BCP 47.
    override public var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { change { $0.extendedLanguageTag = newValue } }
    }

    /// The language of the value.
    override public var locale: Locale? {
        get { super.locale }
        set { extendedLanguageTag = newValue?.identifier(.bcp47) }
    }

    /// The value: an `NSString`, `NSNumber`, `NSDate`, `NSArray` or `NSData`.
    override public var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set {
            let value = Self.copy(newValue)
            change { $0.value = value }
        }
    }

    /// A later change of a mutable string, for example, does not change the item.
    private static func copy(_ value: (any NSCopying & NSObjectProtocol)?) -> (any NSCopying & NSObjectProtocol)? {
        value?.copy(with: nil) as? any NSCopying & NSObjectProtocol
    }
}

extension AVMetadataItem: NSMutableCopying {
    /// Returns an item with the same values that can be changed.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(values) }
}
