// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Bytes of memory that jobs share. A job for which there is no room waits; jobs get room in the order in which they
/// asked for it.
package final class MemoryBudget: Sendable {
    /// For all jobs of this process that decode, edit and encode stills.
    package static let pictures = MemoryBudget(byteCount: 448 << 20)

    private struct State {
        var used = 0
        var waiting: [(byteCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The size of the budget.
    package let byteCount: Int
    private let state = Lock(State())

    package init(byteCount: Int) {
        self.byteCount = byteCount
    }

    /// The bytes in use at this moment.
    package var used: Int { state.withLock { $0.used } }
    /// The number of jobs that wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when `count` bytes are free. A job that is larger than the budget runs alone.
    ///
    /// Suspends, and holds no thread while it waits. It is not canceled: each job before it ends by itself.
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
