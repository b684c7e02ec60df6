// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraBase

extension Lock {
    /// Blocks the thread until `body` returns a value; calls `body` again after each signal.
    ///
    /// - Returns: The value, or nil if the deadline passed first; without a deadline, there is no time limit.
    @inlinable package func wait<R>(until deadline: HostTime?, for body: (inout State) -> R?) -> R? {
        wait(untilNanoseconds: deadline?.nanoseconds, for: body)
    }
}

extension WorkerThread {
    /// Blocks until the thread has ended; returns false if the deadline passed first.
    package func join(until deadline: HostTime) -> Bool {
        join(untilNanoseconds: deadline.nanoseconds)
    }
}
