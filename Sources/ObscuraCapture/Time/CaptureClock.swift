// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// The clock by which drivers without hardware keep time: the system's, or one that a test drives by hand.
public protocol CaptureClock: Sendable {
    /// The present moment.
    var now: HostTime { get }
    /// Blocks the thread until the deadline, or until the alarm rings.
    ///
    /// - Returns: true at the deadline, false when the alarm rang.
    func wait(until deadline: HostTime, unless alarm: Alarm) -> Bool
}

/// CLOCK_MONOTONIC.
public struct SystemClock: CaptureClock {
    /// The clock of the system; all of them are the same.
    public init() {}

    /// The present moment of CLOCK_MONOTONIC.
    public var now: HostTime { .now }

    /// Blocks until the deadline, or until the alarm rings.
    public func wait(until deadline: HostTime, unless alarm: Alarm) -> Bool {
        !alarm.wait(until: deadline)
    }
}

/// A bell that rings once, and wakes every thread that waits for it.
public final class Alarm: Sendable {
    private let state = Lock(false)

    /// A bell that has not rung.
    public init() {}

    /// Whether it has rung.
    public var hasRung: Bool { state.withLock { $0 } }

    /// Rings. Any thread, any number of times.
    public func ring() {
        state.withLockSignalling { $0 = true }
    }

    /// Blocks until it rings, or the deadline (CLOCK_MONOTONIC) has passed. Returns whether it rang.
    public func wait(until deadline: HostTime) -> Bool {
        state.wait(until: deadline) { $0 ? true : nil } ?? false
    }

    /// Blocks until it rings (false), or `condition` holds (true); looks again at each ``poke()``.
    func wait(for condition: () -> Bool) -> Bool {
        state.wait { hasRung in hasRung ? false : condition() ? true : nil } ?? false
    }

    /// Blocks until `condition` holds (true), or it rings or the deadline has passed (false); looks again at
    /// each ``poke()``.
    package func wait(until deadline: HostTime, for condition: () -> Bool) -> Bool {
        state.wait(until: deadline) { hasRung in hasRung ? false : condition() ? true : nil } ?? false
    }

    /// Has the waiting threads look again.
    package func poke() {
        state.withLockSignalling { _ in }
    }
}
