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
        var isOver = false
    }

    private let state = Lock(State())

    /// Starts the thread; nil if the system cannot start more of them.
    package init?(interval: Duration) {
        let state = state
        let isStarted = WorkerThread.detach(name: "gathering") {
            var next = HostTime.now + interval
            while state.wait(until: next, for: { $0.isOver ? true : nil }) == nil {
                for deliver in state.withLock({ $0.deliveries }) { deliver() }
                next = max(next + interval, .now)
            }
        }
        guard isStarted else { return nil }
    }

    deinit {
        state.withLockSignalling { $0.isOver = true }
    }

    /// Adds a function that delivers what a reader has gathered, for the lifetime of the timer.
    func add(_ deliver: @escaping @Sendable () -> Void) {
        state.withLock { $0.deliveries.append(deliver) }
    }
}
