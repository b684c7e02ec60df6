// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// An asynchronous mutex that serves its waiters in order, so that operations on a device never overlap.
///
/// It is not recursive: `body` must not call ``take(_:)`` again. Waiting does not block a thread.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Maximum number of waiters.
    private static let mostWaiting = 64

    private let state = Lock(State())

    /// - Throws: ``ObscuraError/Code/tooMuch`` if there are too many waiters, and any error of `body`.
    nonisolated(nonsending) func take<R>(_ body: nonisolated(nonsending) () async throws -> R) async throws -> R {
        try await enter()
        defer { leave() }
        return try await body()
    }

    nonisolated(nonsending) private func enter() async throws {
        let isFull = state.withLock { $0.waiting.count >= Self.mostWaiting }
        guard !isFull else {
            throw ObscuraError(
                .studio, .tooMuch, subject: "camera", reason: "too much is asked of it at once",
                advice: "Try again in a moment."
            )
        }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
