// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia

/// Runs `body`, which may block, on a thread of its own: the executor of a small machine has two threads.
package func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        let isStarted = WorkerThread.detach(name: "test") { continuation.resume(returning: body()) }
        if !isStarted { continuation.resume(returning: body()) }
    }
}

/// Runs `body` on `count` threads at once and waits for all of them.
///
/// - Returns: Whether all ended within ``waitLimit``.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Bool {
    let done = Count()
    for index in 0..<count {
        let isStarted = WorkerThread.detach(name: "test \(index)") {
            body(index)
            done.add()
        }
        guard isStarted else { return false }
    }
    return done.blocksUntil(count)
}
