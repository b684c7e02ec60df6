// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An asset or an album. Objects with the same identifier are equal. An object never changes: after a change of the
/// library, fetch it again.
public class PHObject: NSObject, NSCopying, @unchecked Sendable {  // All properties of all subclasses are constants.
    private let identifier: String
    let store: PhotoStore

    init(_ identifier: String, in store: PhotoStore) {
        (self.identifier, self.store) = (identifier, store)
    }

    /// The identifier in the library. The identifier of an asset is the path of its file, relative to the folder of the
    /// library. It changes only if another program moves the file.
    public var localIdentifier: String { identifier }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both objects have the same class and the same identifier.
    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHObject else { return false }
        return type(of: other) == type(of: self) && other.localIdentifier == localIdentifier
    }

    /// A hash of the identifier.
    override public var hash: Int { localIdentifier.hashValue }
}
