// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia

/// How long a test waits for what must happen; only a failing test waits so long.
let limit = Duration.seconds(30)

/// Whether the tests run with their full numbers.
let isLongForm = ProcessInfo.processInfo.environment["OBSCURA_TEST_LONG"] == "1"

/// A number that threads and tasks wait for.
final class Count: Sendable {
    private let value = Lock(0)

    var now: Int { value.withLock { $0 } }

    func add(_ amount: Int = 1) {
        value.withLockSignalling { $0 += amount }
    }

    /// Blocks until the number is at least `target`; returns whether it came to that in time.
    func blocksUntil(_ target: Int) -> Bool {
        value.wait(until: .now + limit) { $0 >= target ? true : nil } ?? false
    }

    /// As ``blocksUntil(_:)``, without holding up one of the executor's threads.
    func reaches(_ target: Int) async -> Bool {
        await onThread { self.blocksUntil(target) }
    }
}

/// Runs what may block on a thread of its own.
func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        let isStarted = WorkerThread.detach(name: "test") { continuation.resume(returning: body()) }
        if !isStarted { continuation.resume(returning: body()) }
    }
}

/// Waits, looking again and again, until `condition` holds; returns whether it came to that in time. For
/// what has no signal of its own.
func becomes(_ condition: () -> Bool) async -> Bool {
    let deadline = HostTime.now + limit
    while !condition() {
        if HostTime.now > deadline { return false }
        await Task.yield()
    }
    return true
}

/// As ``becomes(_:)``, for a thread.
func blocksUntil(_ condition: () -> Bool) -> Bool {
    let deadline = HostTime.now + limit
    while !condition() {
        if HostTime.now > deadline { return false }
        giveWay()
    }
    return true
}

/// Lets another thread run, so that one that goes round and round does not starve the ones it watches.
func giveWay() {
    _ = sched_yield()
}
