// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// A thread on which several readers deliver, once per interval, what they have gathered.
///
/// A thread that wakes up for each small packet costs more than all other work on it. It ends with the last owner,
/// or earlier by ``end()``.
package final class GatheringTimer: Sendable {
    private struct State {
        var deliveries: [@Sendable () -> Void] = []
        var interval: Duration
        /// Whether a delivery is due before the end of the interval.
        var isDue = false
        var isOver = false
        /// Numbers of deliveries that have begun, and that have ended.
        var begun: UInt64 = 0
        var ended: UInt64 = 0
    }

    private let state: Lock<State>

    /// Starts the thread; nil if the system cannot start more of them.
    package init?(interval: Duration) {
        let state = Lock(State(interval: interval))
        self.state = state
        let isStarted = WorkerThread.detach(name: "gathering") {
            var (last, isOver) = (HostTime.now, false)
            while !isOver {
                let interval = state.withLock { $0.interval }
                isOver =
                    state.wait(until: last + interval) { state in
                        defer { state.isDue = false }
                        return state.isOver || state.isDue ? state.isOver : nil
                    } ?? false
                last = .now
                let deliveries = state.withLock { state in
                    state.begun += 1
                    return state.deliveries
                }
                for deliver in deliveries where !isOver { deliver() }
                state.withLockSignalling { $0.ended = $0.begun }
            }
            // Released without the lock.
            _ = state.withLock { state in
                defer { state.deliveries = [] }
                return state.deliveries
            }
        }
        guard isStarted else { return nil }
    }

    /// The time between two deliveries. A new interval begins with one.
    package var interval: Duration {
        get { state.withLock { $0.interval } }
        set { state.withLockSignalling { ($0.interval, $0.isDue) = (newValue, true) } }
    }

    /// Delivers what has been gathered up to now, and waits until that is done, until the deadline at most.
    package func flush(until deadline: HostTime) {
        // A delivery in progress may have passed the last elements already.
        let number = state.withLockSignalling { state in
            state.isDue = true
            return state.begun + 1
        }
        _ = state.wait(until: deadline) { $0.ended >= number || $0.isOver ? true : nil }
    }

    /// Ends the thread after a delivery in progress; does not wait for it.
    package func end() {
        state.withLockSignalling { $0.isOver = true }
    }

    deinit {
        end()
    }

    /// Adds a function that delivers what a reader has gathered, for the lifetime of the timer.
    func add(_ deliver: @escaping @Sendable () -> Void) {
        state.withLock { $0.deliveries.append(deliver) }
    }
}
