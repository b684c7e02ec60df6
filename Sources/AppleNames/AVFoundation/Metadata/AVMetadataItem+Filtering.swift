// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVMetadataItem {
    /// Returns the items with an identifier. An identifier of ``AVMetadataKeySpace/common`` finds its property in all
    /// key spaces.
    public class func metadataItems(
        from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        items.filter { item in
            guard let own = item.identifier else { return false }
            return own == identifier || item.commonKey.map { AVMetadataIdentifier(common: $0) } == identifier
        }
    }

    /// Returns the items with a key and a key space. Nil finds all keys or all key spaces.
    public class func metadataItems(
        from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let wanted = key.flatMap(MetadataText.init)?.text
        return items.filter { item in
            if keySpace == .common, item.keySpace != .common {
                return item.commonKey.map { key == nil || $0.rawValue == wanted } ?? false
            }
            let own = item.key.flatMap(MetadataText.init)?.text
            return (keySpace == nil || item.keySpace == keySpace) && (key == nil || own != nil && own == wanted)
        }
    }

    // MARK: Identifiers

    /// Returns the identifier of a key, which can be an ``AVMetadataKey``, a string or a number; nil for other types.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        guard var name = MetadataText(key)?.text else { return nil }
        // The keys of user data and of iTunes have @ in the place of ©.
        if keySpace.hasFourCharacterKeys, name.hasPrefix("@") || name.hasPrefix("©") { name = "%A9" + name.dropFirst() }
        return AVMetadataIdentifier("\(keySpace.identifierPrefix)/\(name)")
    }

    /// Returns the key space of an identifier; nil for an identifier without a slash.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        identifier.rawValue.firstIndex(of: "/").map { slash in
            AVMetadataKeySpace(identifierPrefix: String(identifier.rawValue[..<slash]))
        }
    }

    /// Returns the key of an identifier, an `NSString`; nil for an identifier without a slash.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
        let name = identifier.rawValue[identifier.rawValue.index(after: slash)...]
        return NSString(string: name.hasPrefix("%A9") ? "@" + name.dropFirst(3) : String(name))
    }
}

extension AVMetadataKeySpace {
    fileprivate var hasFourCharacterKeys: Bool { self == .quickTimeUserData || self == .iTunes }
}
