// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia
internal import Synchronization

/// A clock for drivers without hardware: the system clock, or a clock that a test advances.
public protocol CaptureClock: Sendable {
    /// The current time of the clock.
    var now: HostTime { get }
    /// Blocks the thread until the deadline, or until the token is cancelled.
    ///
    /// - Returns: true if the deadline was reached, false if the token was cancelled.
    func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool
}

/// The system clock, CLOCK_MONOTONIC.
public struct SystemClock: CaptureClock {
    /// Creates a system clock; all system clocks show the same time.
    public init() {}

    /// The current time of CLOCK_MONOTONIC.
    public var now: HostTime { .now }

    /// Blocks until the deadline, or until the token is cancelled. Returns true if the deadline was reached, false if
    /// the token was cancelled.
    public func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool {
        !cancellation.wait(until: deadline)
    }
}

/// A flag that is set once, and wakes every thread that waits for it.
public final class CancellationToken: Sendable {
    private let state = Lock(false)
    /// The same as the state, for drivers that look at it several times per frame.
    private let flag = Atomic(false)

    /// Creates a token that is not cancelled.
    public init() {}

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Sets the flag. May be called on any thread, any number of times.
    public func cancel() {
        state.withLockSignalling { state in
            state = true
            flag.store(true, ordering: .releasing)
        }
    }

    /// Blocks until the token is cancelled, or until the deadline (CLOCK_MONOTONIC). Returns whether the token is
    /// cancelled.
    public func wait(until deadline: HostTime) -> Bool {
        state.wait(until: deadline) { $0 ? true : nil } ?? false
    }

    /// Blocks until the token is cancelled (false), or `condition` is true (true). The condition is checked
    /// again at each ``poke()``.
    func wait(for condition: () -> Bool) -> Bool {
        state.wait { isCancelled in isCancelled ? false : condition() ? true : nil } ?? false
    }

    /// Blocks until `condition` is true (true), or the token is cancelled or the deadline has passed
    /// (false). The condition is checked again at each ``poke()``.
    package func wait(until deadline: HostTime, for condition: () -> Bool) -> Bool {
        state.wait(until: deadline) { isCancelled in isCancelled ? false : condition() ? true : nil } ?? false
    }

    /// Makes the waiting threads check their conditions again.
    package func poke() {
        state.withLockSignalling { _ in }
    }
}
