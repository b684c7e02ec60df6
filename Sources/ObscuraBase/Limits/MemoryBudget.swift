// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A memory budget that jobs share. A job waits until enough bytes are free; jobs are served in the order of their
/// requests.
package final class MemoryBudget: Sendable {
    /// The budget for all jobs of this process that decode, edit and encode still images.
    package static let pictures = MemoryBudget(byteCount: 448 << 20)

    private struct State {
        var used = 0
        var waiting: [(byteCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The size of the budget, in bytes.
    package let byteCount: Int
    private let state = Lock(State())

    package init(byteCount: Int) {
        self.byteCount = byteCount
    }

    /// The number of bytes currently in use.
    package var used: Int { state.withLock { $0.used } }
    /// The number of waiting jobs.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Calls `body` when `count` bytes are free. A job that is larger than the budget runs alone.
    ///
    /// Suspends without blocking a thread. Waiting cannot be cancelled; it ends when the earlier jobs finish.
    nonisolated(nonsending) package func withBytes<R>(
        _ count: Int, _ body: () async throws -> R
    ) async rethrows -> R {
        let count = min(max(0, count), byteCount)
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.waiting.isEmpty, state.used + count <= byteCount else {
                    state.waiting.append((count, continuation))
                    return false
                }
                state.used += count
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { release(count) }
        return try await body()
    }

    private func release(_ count: Int) {
        let ready = state.withLock { state in
            state.used -= count
            var ready: [CheckedContinuation<Void, Never>] = []
            while let next = state.waiting.first, state.used + next.byteCount <= byteCount {
                state.used += next.byteCount
                ready.append(next.continuation)
                state.waiting.removeFirst()
            }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }
}
