// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Dispatch
import Glibc
import ObscuraBase
import ObscuraMedia

/// The longest time that a test waits for a condition. Only a failing test waits this long.
package let waitLimit = Duration.seconds(60)

/// Waits until `condition` holds, for conditions that send no signal.
///
/// - Returns: False when it did not hold within ``waitLimit``.
package func becomes(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = HostTime.now + waitLimit
    var attempts = 0
    while try !condition() {
        if HostTime.now > deadline { return false }
        attempts += 1
        if attempts < 100 {
            await Task.yield()
        } else {
            // A busy loop would take the processor from the threads that it waits for.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
            }
        }
    }
    return true
}

/// Blocks the thread until `condition` holds, for conditions that send no signal.
///
/// - Returns: False when it did not hold within ``waitLimit``.
package func blocksUntil(_ condition: () -> Bool) -> Bool {
    let deadline = HostTime.now + waitLimit
    while !condition() {
        if HostTime.now > deadline { return false }
        yieldThread()
    }
    return true
}

/// Lets other threads run, for loops that would otherwise starve the threads that they watch.
package func yieldThread() {
    _ = sched_yield()
}

extension WorkerThread {
    /// Waits for the end of the thread.
    ///
    /// - Returns: False when it did not end within ``waitLimit``.
    package func ends() -> Bool {
        join(until: .now + waitLimit)
    }
}
