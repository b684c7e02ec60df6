// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// Calls asynchronous functions from blocking ones. Blocks the calling thread.
package enum BlockingCall {
    /// The callers may be threads of Swift's global executor, all of which may wait: the calls need a thread of their
    /// own.
    private static let executor = PoolExecutor(WorkerPool(name: "blocking calls", threads: 1))

    package static func run<R: Sendable>(_ body: @escaping @Sendable () async -> R) -> R {
        let result = Lock<R?>(nil)
        // Not detached: a session recognizes by its task that a callback stops it, and does not wait for that callback.
        Task(executorPreference: executor) {
            let value = await body()
            result.withLockSignalling { $0 = value }
        }
        // Without a deadline the wait ends with a value only.
        while true {
            if let value = result.wait(untilNanoseconds: nil, for: { $0 }) { return value }
        }
    }
}
