// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A thread on which several readers deliver, once per interval, what they have gathered.
///
/// A thread that wakes up for each small packet costs more than all other work on it. It ends with the last owner.
package final class GatheringTimer: Sendable {
    private struct State {
        var deliveries: [@Sendable () -> Void] = []
        var interval: Duration
        /// Whether a delivery is due before the end of the interval.
        var isDue = false
        var isOver = false
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
                for deliver in state.withLock({ $0.deliveries }) where !isOver { deliver() }
            }
        }
        guard isStarted else { return nil }
    }

    /// The time between two deliveries. A new interval begins with one.
    package var interval: Duration {
        get { state.withLock { $0.interval } }
        set { state.withLockSignalling { ($0.interval, $0.isDue) = (newValue, true) } }
    }

    deinit {
        state.withLockSignalling { $0.isOver = true }
    }

    /// Adds a function that delivers what a reader has gathered, for the lifetime of the timer.
    func add(_ deliver: @escaping @Sendable () -> Void) {
        state.withLock { $0.deliveries.append(deliver) }
    }
}
