// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The differences between two fetch results.
///
/// To turn the earlier list into the present one, apply them in this order: removals, insertions, moves.
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
    /// Whether the order of the objects that are in both results has changed.
    public var hasMoves: Bool { differences?.moves.isEmpty == false }

    /// Calls `handler` for each move, with the index after all removals and insertions, and the index in the present
    /// result. Apply all moves at once.
    public func enumerateMoves(_ handler: @escaping (_ fromIndex: Int, _ toIndex: Int) -> Void) {
        for move in differences?.moves ?? [] { handler(move.from, move.to) }
    }
}
