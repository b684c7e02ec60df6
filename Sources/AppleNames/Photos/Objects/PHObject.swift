// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An asset or an album. Objects are equal if their identifiers are. They never change: after a change of the library,
/// the new state is in a new object.
public class PHObject: NSObject, NSCopying, @unchecked Sendable {  // All properties of all subclasses are constants.
    private let identifier: String
    let store: PhotoStore

    init(_ identifier: String, in store: PhotoStore) {
        (self.identifier, self.store) = (identifier, store)
    }

    /// The identifier in the library: of an asset, the path of its file in the folder of the library. It stays the same
    /// until another program moves the file.
    public var localIdentifier: String { identifier }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both are of one class, and have the same identifier.
    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHObject else { return false }
        return type(of: other) == type(of: self) && other.localIdentifier == localIdentifier
    }

    /// A hash of the identifier.
    override public var hash: Int { localIdentifier.hashValue }
}
