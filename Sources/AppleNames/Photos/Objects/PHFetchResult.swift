// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// A list of fetched objects. Later changes of the library do not change the list.
///
/// A fetch reads only the path and a version number of each object. The properties of the objects are read later, when
/// an object is first used, for some hundred objects at a time. Thread-safe.
public class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, @unchecked Sendable {
    // The properties are constants and a lock, and the objects are PHObjects, which never change.
    let fetch: Fetch<ObjectType>
    let entries: [LibraryEntry]
    private let pages = Lock(ObjectPages<ObjectType>())

    init(_ fetch: Fetch<ObjectType>, _ entries: [LibraryEntry]) {
        (self.fetch, self.entries) = (fetch, entries)
    }

    /// Fetches. Blocks; the result of a failed fetch is empty, and the error is in the log.
    convenience init(_ fetch: Fetch<ObjectType>) {
        do throws(ObscuraError) {
            self.init(fetch, try fetch.entries())
        } catch {
            PhotoStore.logger.error("\(error)")
            self.init(fetch, [])
        }
    }

    /// The number of objects.
    public var count: Int { entries.count }
    /// The first object; nil if there is none.
    public var firstObject: ObjectType? { entries.isEmpty ? nil : object(at: 0) }
    /// The last object; nil if there is none.
    public var lastObject: ObjectType? { entries.isEmpty ? nil : object(at: count - 1) }

    /// Returns an object. Blocks while objects are read.
    ///
    /// - Precondition: the index is less than ``count``.
    public func object(at index: Int) -> ObjectType {
        let (page, place) = index.quotientAndRemainder(dividingBy: ObjectPages<ObjectType>.length)
        return objects(ofPage: page)[place]
    }

    /// The object at an index; see ``object(at:)``.
    public subscript(idx: Int) -> ObjectType { object(at: idx) }

    /// Returns the objects at some indexes, in the order of the indexes.
    ///
    /// - Precondition: all indexes are less than ``count``.
    public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map(object) }

    /// Whether the object is in the list.
    public func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }

    /// Returns the first index of an object; `NSNotFound` if it is not in the list.
    public func index(of anObject: ObjectType) -> Int { index(of: anObject, in: NSRange(location: 0, length: count)) }

    /// Returns the first index of an object in a range of the list; `NSNotFound` if the range does not contain the
    /// object.
    public func index(of anObject: ObjectType, in range: NSRange) -> Int {
        guard let identifier = (anObject as? PHObject)?.localIdentifier, let range = Range(range) else {
            return NSNotFound
        }
        return entries[range.clamped(to: entries.indices)].firstIndex { $0.path == identifier } ?? NSNotFound
    }

    /// Returns the number of assets of a kind; 0 for a list of albums.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        guard ObjectType.self is PHAsset.Type else { return 0 }
        return entries.count { PHAssetMediaType(ofFile: $0.path) == mediaType }
    }

    /// Returns the list itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    private func objects(ofPage number: Int) -> [ObjectType] {
        if let objects = pages.withLock({ $0.page(number) }) { return objects }
        let first = number * ObjectPages<ObjectType>.length
        let objects = fetch.objects(Array(entries[first..<min(first + ObjectPages<ObjectType>.length, count)]))
        pages.withLock { $0.store(objects, as: number) }
        return objects
    }
}
