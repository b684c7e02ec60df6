// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A cache with a limit on the total cost of its values; values that are not used are evicted.
///
/// It keeps two generations. A used value moves to the young generation. When that is full, it replaces the old one,
/// whose values are evicted. Therefore each access takes constant time.
struct BoundedCache<Key: Hashable, Value> {
    private let limit: Int
    private var young: [Key: (value: Value, cost: Int)] = [:]
    private var old: [Key: (value: Value, cost: Int)] = [:]
    private var youngCost = 0
    private var oldCost = 0

    /// - Parameter limit: maximum total cost of the values.
    init(limit: Int) {
        self.limit = limit
    }

    /// Total cost of the values; a value in both generations counts twice.
    var cost: Int { youngCost + oldCost }

    mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old[key] else { return nil }
        insert(found.value, cost: found.cost, for: key)
        return found.value
    }

    /// Inserts a value, unless it costs more than half of the limit.
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
