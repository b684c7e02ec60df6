// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraMedia

/// How long a test waits for what must happen; only a failing test waits so long.
let limit = Duration.seconds(20)

/// A number that a thread waits for.
final class Count: Sendable {
    private let value = Lock(0)

    var now: Int { value.withLock { $0 } }

    func add(_ amount: Int = 1) {
        value.withLockSignalling { $0 += amount }
    }

    /// Blocks until the number is at least `target`; returns whether it came to that in time.
    func reaches(_ target: Int) -> Bool {
        value.wait(until: .now + limit) { $0 >= target ? true : nil } ?? false
    }
}

/// Runs `body` on so many threads at once and waits for all of them; returns whether all ended in time.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Bool {
    let done = Count()
    for index in 0..<count {
        let isStarted = WorkerThread.detach(name: "test \(index)") {
            body(index)
            done.add()
        }
        guard isStarted else { return false }
    }
    return done.reaches(count)
}

/// Lets another thread run, so that one that goes round and round does not starve the ones it watches.
func giveWay() {
    _ = sched_yield()
}
