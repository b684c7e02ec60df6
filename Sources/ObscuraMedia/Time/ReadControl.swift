// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// A limit for the waits of a reader: a deadline, and cancellation from another thread.
package final class ReadControl: Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    private let deadline = Atomic<Int64>(.max)
    private let isCancelledFlag = Atomic<Bool>(false)

    package init() {}

    /// Makes a wait in progress, and every later one, end within about 100 ms. Permanent; may be called on any thread.
    package func cancel() {
        isCancelledFlag.store(true, ordering: .relaxed)
    }

    package var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

    package var hasExpired: Bool {
        let nanoseconds = deadline.load(ordering: .relaxed)
        return nanoseconds != .max && HostTime.now.nanoseconds > nanoseconds
    }

    /// Whether a wait must end now.
    package var mustEnd: Bool { isCancelled || hasExpired }

    package func setDeadline(_ time: HostTime?) {
        deadline.store(time?.nanoseconds ?? .max, ordering: .relaxed)
    }
}
