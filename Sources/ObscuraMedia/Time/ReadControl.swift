// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// Ends the waits of a reader: at a deadline, or when another thread cancels.
package final class ReadControl: Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    private let deadline = Atomic<Int64>(.max)
    private let isCancelledFlag = Atomic<Bool>(false)

    package init() {}

    /// Makes a wait in progress, and every later one, give up within about 100 ms. Any thread; for good.
    package func cancel() {
        isCancelledFlag.store(true, ordering: .relaxed)
    }

    package var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

    package var hasExpired: Bool {
        let nanoseconds = deadline.load(ordering: .relaxed)
        return nanoseconds != .max && HostTime.now.nanoseconds > nanoseconds
    }

    /// Whether a wait has to give up now.
    package var mustEnd: Bool { isCancelled || hasExpired }

    package func setDeadline(_ time: HostTime?) {
        deadline.store(time?.nanoseconds ?? .max, ordering: .relaxed)
    }
}
