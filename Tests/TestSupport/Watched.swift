// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia

/// A value that threads and tasks wait for.
package final class Watched<Value: Sendable>: Sendable {
    private let state: Lock<Value>

    package init(_ value: Value) {
        state = Lock(value)
    }

    package var value: Value { state.withLock { $0 } }

    /// Changes the value and wakes all waiters.
    @discardableResult
    package func change<R>(_ body: (inout Value) -> R) -> R {
        state.withLockSignalling { body(&$0) }
    }

    /// Blocks until `condition` holds.
    ///
    /// - Returns: False when it did not hold within ``waitLimit``.
    package func blocksUntil(_ condition: (Value) -> Bool) -> Bool {
        state.wait(until: .now + waitLimit) { condition($0) ? true : nil } ?? false
    }

    /// As ``blocksUntil(_:)``, without blocking a thread of the executor.
    package func reaches(_ condition: @escaping @Sendable (Value) -> Bool) async -> Bool {
        await onThread { self.blocksUntil(condition) }
    }
}

/// A number that threads and tasks wait for.
package typealias Count = Watched<Int>

extension Watched where Value == Int {
    package convenience init() {
        self.init(0)
    }

    package var now: Int { value }

    package func add(_ amount: Int = 1) {
        change { $0 += amount }
    }

    /// Blocks until the number is at least `target`.
    package func blocksUntil(_ target: Int) -> Bool {
        blocksUntil { $0 >= target }
    }

    /// As ``blocksUntil(_:)``, without blocking a thread of the executor.
    package func reaches(_ target: Int) async -> Bool {
        await reaches { $0 >= target }
    }
}
