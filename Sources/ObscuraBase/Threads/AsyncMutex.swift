// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A mutual exclusion lock for tasks, which may be held across an `await`. First come, first served; waiting holds no
/// thread.
///
/// Not recursive: the holder must not lock it again.
package final class AsyncMutex: Sendable {
    /// The result of ``lock(isCancellable:)``.
    package enum Outcome: Sendable {
        /// The caller holds the lock, and must call ``unlock()``.
        case locked
        /// The task was cancelled before it held the lock.
        case cancelled
        /// The maximum number of tasks is already waiting.
        case full
    }

    private typealias Waiter = (id: UInt64, continuation: CheckedContinuation<Outcome, Never>)

    private struct State {
        var isLocked = false
        var waiters: [Waiter] = []
        var nextID: UInt64 = 0
        /// Tasks that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
    }

    private let waiterLimit: Int
    private let state = Lock(State())

    /// - Parameter waiterLimit: the maximum number of waiting tasks.
    package init(waiterLimit: Int = .max) {
        self.waiterLimit = waiterLimit
    }

    /// Whether a task holds the lock.
    package var isLocked: Bool { state.withLock { $0.isLocked } }

    /// Suspends until the caller holds the lock.
    ///
    /// - Parameter isCancellable: whether cancellation of the task ends the wait.
    nonisolated(nonsending) package func lock(isCancellable: Bool = true) async -> Outcome {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        guard isCancellable else { return await wait(id, isolation: #isolation) }
        let outcome = await withTaskCancellationHandler(
            operation: { await wait(id, isolation: #isolation) }, onCancel: { cancel(id) }, isolation: #isolation)
        state.withLock { _ = $0.cancelled.remove(id) }
        return outcome
    }

    /// Passes the lock to the task that has waited longest, if there is one.
    package func unlock() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.isLocked = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: .locked)
    }

    private func wait(_ id: UInt64, isolation actor: isolated (any Actor)?) async -> Outcome {
        await withCheckedContinuation(isolation: actor) { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if state.cancelled.contains(id) { return .cancelled }
                guard state.isLocked else {
                    state.isLocked = true
                    return .locked
                }
                guard state.waiters.count < waiterLimit else { return .full }
                state.waiters.append((id, continuation))
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: .cancelled)
    }
}
