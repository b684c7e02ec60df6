// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A mutex for captures that change the camera, in the order of their arrival.
final class PhotoTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID: UInt64 = 0
        /// Canceled waits that have not been removed yet.
        var cancelled: Set<UInt64> = []
    }

    private let state = Lock(State())

    /// Whether a capture holds the mutex.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Waits for the mutex. Returns false if the task was canceled first; otherwise ``leave()`` must
    /// follow.
    nonisolated(nonsending) func enter() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isGranted = await enter(id, isolation: #isolation)
        state.withLock { _ = $0.cancelled.remove(id) }
        return isGranted
    }

    private func enter(_ id: UInt64, isolation actor: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    let isGranted = state.withLock { state -> Bool? in
                        if state.cancelled.contains(id) { return false }
                        guard state.isTaken else {
                            state.isTaken = true
                            return true
                        }
                        state.waiting.append((id, continuation))
                        return nil
                    }
                    if let isGranted { continuation.resume(returning: isGranted) }
                }
            },
            onCancel: { cancel(id) },
            isolation: actor)
    }

    /// Hands the mutex to the next capture.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func cancel(_ id: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }
}
