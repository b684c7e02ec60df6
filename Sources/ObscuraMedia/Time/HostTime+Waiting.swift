// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraBase

extension Lock {
    /// Blocks the thread until `body` returns a value, and calls it again after each signal.
    ///
    /// - Returns: Nil if the deadline passed first; a deadline that is nil never passes.
    @inlinable package func wait<R>(until deadline: HostTime?, for body: (inout State) -> R?) -> R? {
        wait(untilNanoseconds: deadline?.nanoseconds, for: body)
    }
}

extension WorkerThread {
    /// Blocks until the thread has ended. Returns false if the deadline passed first.
    package func join(until deadline: HostTime) -> Bool {
        join(untilNanoseconds: deadline.nanoseconds)
    }
}
