// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// Threads of our own that run jobs in the order in which they came.
///
/// Drivers, decoders, transforms and the sessions' control run here and never on Swift's global
/// executor, whose two threads (on two cores) a caller's blocked tasks may fill. With one thread the
/// jobs run one after the other.
package final class WorkerPool: Sendable {
    package typealias Job = @Sendable () -> Void

    private struct State {
        /// The jobs that wait are those from `next` on; what a job refers to must not outlive its run.
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
            // Now and then the places of the jobs that ran are closed up, also while others always wait.
            if next == jobs.count || next >= 64 {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    /// What the threads share; it outlives the pool until they have ended.
    private let state = Lock(State())
    private let name: String
    private let limit: Int
    private let niceness: Int32

    /// The pool in which pictures of live sources are converted: one thread for each core.
    package static let transforms = WorkerPool(name: "transform", threads: max(2, WorkerPool.coreCount))

    /// The pool in which pictures are converted ahead of their reader. Its threads give way to the decoder,
    /// which is what such a reader waits for; without that it runs up to 5 % slower on two cores.
    package static let transformsAhead = WorkerPool(
        name: "ahead", threads: max(2, WorkerPool.coreCount), niceness: 10)

    /// - Parameters:
    ///   - threads: how many there may be; each is started when it is first needed.
    ///   - niceness: how much they give way to others; see ``WorkerThread/setNiceness(_:)``.
    package init(name: String, threads: Int, niceness: Int32 = 0) {
        self.name = name
        self.niceness = niceness
        limit = max(1, threads)
    }

    deinit {
        state.withLockSignalling { $0.isClosed = true }
    }

    /// Runs `job` on a thread of the pool. Does not wait.
    package func async(_ job: @escaping Job) {
        let needsThread = state.withLockSignallingOne { state in
            state.jobs.append(job)
            guard state.jobs.count - state.next > state.idleThreads, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
    }

    /// Runs `job` on a thread that has nothing else to do, and lets it be if there is none. Does not wait.
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

    /// Starts one of the threads, which is already counted.
    private func startThread() {
        let (state, niceness) = (state, niceness)
        let isStarted = WorkerThread.detach(name: name) {
            if niceness != 0 { WorkerThread.setNiceness(niceness) }
            Self.work(state)
        }
        if isStarted { return }
        // The system has no threads left. If none of ours runs, the caller does the work.
        let isAlone = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        while isAlone, let job = state.withLock({ $0.pop() }) { job() }
    }

    /// Runs `body` on a thread of the pool and suspends until it is done.
    nonisolated(nonsending) package func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            async { continuation.resume(returning: body()) }
        }
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
    /// The cores of the machine that are on line.
    package static var coreCount: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
