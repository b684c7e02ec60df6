// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A clock that stands still until a test advances it.
public final class ManualClock: CaptureClock {
    private struct State {
        var now: HostTime
        var waiting: [(deadline: HostTime, cancellation: CancellationToken)] = []
    }

    private let state: Lock<State>

    /// Creates a clock.
    ///
    /// - Parameter now: the initial time.
    public init(now: HostTime = HostTime(nanoseconds: 0)) {
        state = Lock(State(now: now))
    }

    /// The current time of the clock.
    public var now: HostTime { state.withLock { $0.now } }

    /// Advances the time and wakes the threads whose deadline has passed.
    public func advance(by duration: Duration) {
        let due = state.withLockSignalling { state in
            state.now = state.now + duration
            return state.waiting.filter { $0.deadline <= state.now }
        }
        for waiter in due { waiter.cancellation.poke() }
    }

    /// Blocks until the clock reaches the deadline, or the token is cancelled. Returns true if the deadline was
    /// reached, false if the token was cancelled.
    public func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool {
        state.withLockSignalling { $0.waiting.append((deadline, cancellation)) }
        defer {
            state.withLockSignalling { state in
                state.waiting.removeAll { $0.cancellation === cancellation && $0.deadline == deadline }
            }
        }
        return cancellation.wait { self.now >= deadline }
    }

    /// Blocks until at least one thread waits for the clock, and the deadlines of all waiting threads are in the
    /// future. Returns the earliest deadline; nil if `limit` (in real time) passes first.
    public func nextDeadline(within limit: Duration = .seconds(10)) -> HostTime? {
        state.wait(until: .now + limit) { state in
            let due = state.waiting.map(\.deadline)
            guard let earliest = due.min(), earliest > state.now else { return nil }
            return earliest
        }
    }
}
