// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A pool of threads that run jobs in the order of submission.
///
/// Drivers, decoders, transforms and the control of sessions run here and not on Swift's global executor, whose two
/// threads (on two cores) may all be blocked by tasks of the caller. With one thread, the jobs run serially.
package final class WorkerPool: Sendable {
    package typealias Job = @Sendable () -> Void

    private struct State {
        /// The waiting jobs, from `next` on. Those before are nil: objects that a job references must not outlive its
        /// run.
        var jobs: [Job?] = []
        var next = 0
        var idleThreads = 0
        var threads = 0
        var isClosed = false

        mutating func pop() -> Job? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            jobs[next] = nil
            next += 1
            // Removes the slots of finished jobs from time to time, also if the queue never becomes empty.
            if next == jobs.count || next >= 64 {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    /// The state that the threads share; it outlives the pool until they have ended.
    private let state = Lock(State())
    private let name: String
    private let limit: Int
    private let niceness: Int32

    /// The pool for converting frames of live sources: one thread per core.
    package static let transforms = WorkerPool(name: "transform", threads: max(2, WorkerPool.coreCount))

    /// The pool for converting frames ahead of their reader. Its threads have a lower priority than the decoder, for
    /// which such a reader waits; without that, it is up to 5 % slower on two cores.
    package static let transformsAhead = WorkerPool(
        name: "ahead", threads: max(2, WorkerPool.coreCount), niceness: 10)

    /// - Parameters:
    ///   - threads: the maximum number; each is started when it is first needed.
    ///   - niceness: the niceness of the threads; see ``WorkerThread/setNiceness(_:)``.
    package init(name: String, threads: Int, niceness: Int32 = 0) {
        self.name = name
        self.niceness = niceness
        limit = max(1, threads)
    }

    deinit {
        state.withLockSignalling { $0.isClosed = true }
    }

    /// Submits `job` to the pool, without waiting.
    package func async(_ job: @escaping Job) {
        let needsThread = state.withLockSignallingOne { state in
            state.jobs.append(job)
            guard state.jobs.count - state.next > state.idleThreads, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
    }

    /// Submits `job` if a thread is idle or can still be started, else discards it, without waiting.
    package func submitIfIdle(_ job: @escaping Job) {
        let needsThread = state.withLockSignallingOne { state in
            let isAnyIdle = state.jobs.count - state.next < state.idleThreads
            guard isAnyIdle || state.threads < limit else { return false }
            state.jobs.append(job)
            if !isAnyIdle { state.threads += 1 }
            return !isAnyIdle
        }
        if needsThread { startThread() }
    }

    /// Starts a thread, which is already counted.
    private func startThread() {
        let (state, niceness) = (state, niceness)
        let isStarted = WorkerThread.detach(name: name) {
            if niceness != 0 { WorkerThread.setNiceness(niceness) }
            Self.work(state)
        }
        if isStarted { return }
        // The system cannot start more threads. If the pool has none, the caller runs the jobs.
        let isAlone = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        while isAlone, let job = state.withLock({ $0.pop() }) { job() }
    }

    /// Calls `body` on a thread of the pool and suspends until it returns or throws.
    nonisolated(nonsending) package func run<R: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> R
    ) async throws(Failure) -> R {
        let result: Result<R, Failure> = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Calls `body` on a thread of the pool, with a function that returns whether the task was cancelled, and suspends
    /// until it returns or throws.
    ///
    /// - Parameter onCancel: called when the task is cancelled, to end a wait of `body`.
    nonisolated(nonsending) package func runCancellable<R: Sendable, Failure: Error>(
        onCancel: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> R
    ) async throws(Failure) -> R {
        let isCancelled = Lock(Task.isCancelled)
        let result: Result<R, Failure> = await withTaskCancellationHandler {
            await run {
                Result { () throws(Failure) in try body { isCancelled.withLock(\.self) } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            onCancel()
        }
        return try result.get()
    }

    private static func work(_ state: Lock<State>) {
        state.withLock { $0.idleThreads += 1 }
        while let job = state.wait(for: { state -> Job?? in
            if let job = state.pop() {
                state.idleThreads -= 1
                return .some(job)
            }
            return state.isClosed ? .some(nil) : nil
        }) ?? nil {
            job()
            state.withLock { $0.idleThreads += 1 }
        }
    }
}

extension WorkerPool {
    /// The number of online cores of the machine.
    package static var coreCount: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
