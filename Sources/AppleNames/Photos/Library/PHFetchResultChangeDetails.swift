// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The differences between two fetch results.
///
/// Applied in this order, they make the earlier list the later one: objects are removed, others inserted, and then moved.
public class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    // The properties are constants.
    /// The earlier result.
    public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
    /// The present result.
    public let fetchResultAfterChanges: PHFetchResult<ObjectType>
    private let differences: ListDifferences?

    init(from before: PHFetchResult<ObjectType>, to after: PHFetchResult<ObjectType>) {
        (fetchResultBeforeChanges, fetchResultAfterChanges) = (before, after)
        differences = before.fetch.hasDetails ? ListDifferences(from: before.entries, to: after.entries) : nil
    }

    /// Whether the indexes are known; see ``PHFetchOptions/wantsIncrementalChangeDetails``.
    public var hasIncrementalChanges: Bool { differences != nil }
    /// The indexes of removed objects in the earlier result; nil without incremental changes.
    public var removedIndexes: IndexSet? { differences?.removed }
    /// The removed objects.
    public var removedObjects: [ObjectType] { fetchResultBeforeChanges.objects(at: removedIndexes ?? []) }
    /// The indexes of inserted objects in the present result; nil without incremental changes.
    public var insertedIndexes: IndexSet? { differences?.inserted }
    /// The inserted objects.
    public var insertedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: insertedIndexes ?? []) }
    /// The indexes of changed objects in the present result; nil without incremental changes.
    public var changedIndexes: IndexSet? { differences?.changed }
    /// The changed objects, as they are now.
    public var changedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: changedIndexes ?? []) }
    /// Whether objects that are in both results have another order.
    public var hasMoves: Bool { differences?.moves.isEmpty == false }

    /// Calls a function with each move: the index after objects were removed and inserted, and that in the present result.
    /// All moves happen at once.
    public func enumerateMoves(_ handler: @escaping (_ fromIndex: Int, _ toIndex: Int) -> Void) {
        for move in differences?.moves ?? [] { handler(move.from, move.to) }
    }
}
