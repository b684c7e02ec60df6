// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// The clock by which drivers without hardware keep time: the system's, or one that a test drives by hand.
public protocol CaptureClock: Sendable {
    /// The present moment.
    var now: HostTime { get }
    /// Blocks the thread until the deadline, or until it is cancelled.
    ///
    /// - Returns: true at the deadline, false when the cancellation rang.
    func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool
}

/// CLOCK_MONOTONIC.
public struct SystemClock: CaptureClock {
    /// The clock of the system; all of them are the same.
    public init() {}

    /// The present moment of CLOCK_MONOTONIC.
    public var now: HostTime { .now }

    /// Blocks until the deadline, or until it is cancelled.
    public func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool {
        !cancellation.wait(until: deadline)
    }
}

/// A flag that is set once, and wakes every thread that waits for it.
public final class CancellationToken: Sendable {
    private let state = Lock(false)

    /// A token that is not cancelled.
    public init() {}

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0 } }

    /// Sets the flag. Any thread, any number of times.
    public func cancel() {
        state.withLockSignalling { $0 = true }
    }

    /// Blocks until it is cancelled, or until the deadline (CLOCK_MONOTONIC). Returns whether it is cancelled.
    public func wait(until deadline: HostTime) -> Bool {
        state.wait(until: deadline) { $0 ? true : nil } ?? false
    }

    /// Blocks until it is cancelled (false), or `condition` holds (true). The condition is checked again at each
    /// ``poke()``.
    func wait(for condition: () -> Bool) -> Bool {
        state.wait { isCancelled in isCancelled ? false : condition() ? true : nil } ?? false
    }

    /// Blocks until `condition` holds (true), or it is cancelled or the deadline has passed (false). The condition is
    /// checked again at each ``poke()``.
    package func wait(until deadline: HostTime, for condition: () -> Bool) -> Bool {
        state.wait(until: deadline) { isCancelled in isCancelled ? false : condition() ? true : nil } ?? false
    }

    /// Has the waiting threads check their conditions again.
    package func poke() {
        state.withLockSignalling { _ in }
    }
}
