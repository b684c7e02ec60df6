// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Values that are kept while they are asked for, up to a limit; the others leave.
///
/// Two generations: what is used moves to the young one, and when that is full it becomes the old one, whose place is
/// emptied. So each use costs the same, however much there is.
struct BoundedCache<Key: Hashable, Value> {
    private let limit: Int
    private var young: [Key: (value: Value, cost: Int)] = [:]
    private var old: [Key: (value: Value, cost: Int)] = [:]
    private var youngCost = 0
    private var oldCost = 0

    /// - Parameter limit: of the costs of all values together.
    init(limit: Int) {
        self.limit = limit
    }

    /// What all values cost, of which one may be counted twice.
    var cost: Int { youngCost + oldCost }

    mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old[key] else { return nil }
        insert(found.value, cost: found.cost, for: key)
        return found.value
    }

    /// A value that costs more than half of the limit is not kept.
    mutating func insert(_ value: Value, cost: Int, for key: Key) {
        guard cost <= limit / 2 else { return }
        if youngCost + cost > limit / 2 {
            (old, oldCost) = (young, youngCost)
            (young, youngCost) = ([:], 0)
        }
        if let previous = young.updateValue((value, cost), forKey: key) { youngCost -= previous.cost }
        youngCost += cost
    }
}
