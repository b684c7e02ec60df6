// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Runs jobs by priority, a few at a time. Requests with equal keys share a job; a job whose requests were all cancelled
/// is cancelled as well.
final class ImageQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ObscuraError>
    typealias Work = @Sendable (_ progress: @escaping @Sendable (Double) -> Void) async throws(ObscuraError) -> Value

    private struct Request {
        let continuation: CheckedContinuation<Outcome, Never>
        let progress: (@Sendable (Double) -> Void)?
    }

    private struct Job {
        let work: Work
        var priority: ImagePriority
        /// Jobs of the same priority run in the order of their requests.
        let number: Int
        var requests: [Int: Request] = [:]
        var task: Task<Void, Never>?
        /// The number of its run.
        var run = 0
        var isRunning = false
        /// Whether its task was cancelled because nobody waited for it.
        var isCancelled = false
    }

    private struct State {
        var jobs: [Key: Job] = [:]
        var running = 0
        var nextNumber = 0

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// Marks the next job as running; nil if there is none, or enough are running.
        mutating func start(_ limit: Int) -> (key: Key, run: Int, work: Work)? {
            guard running < limit else { return nil }
            let waiting = jobs.filter { !$0.value.isRunning }
            guard
                let next = waiting.max(by: {
                    ($0.value.priority, -$0.value.number) < ($1.value.priority, -$1.value.number)
                })
            else { return nil }
            running += 1
            let run = number()
            jobs[next.key]?.isRunning = true
            jobs[next.key]?.run = run
            return (next.key, run, next.value.work)
        }
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: the maximum number of jobs that run at the same time.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of jobs that wait or run.
    var count: Int { state.withLock { $0.jobs.count } }

    /// The number of requests that wait for a job.
    func requestCount(for key: Key) -> Int { state.withLock { $0.jobs[key]?.requests.count ?? 0 } }

    /// Returns the value of a job, which is created from `work` unless there is one with this key.
    ///
    /// - Parameter progress: called on any thread.
    /// - Throws: the error of the job; ``ObscuraError/Code/cancelled`` if this task was cancelled.
    nonisolated(nonsending) func value(
        for key: Key, subject: String, priority: ImagePriority, progress: (@Sendable (Double) -> Void)?,
        _ work: @escaping Work
    ) async throws(ObscuraError) -> Value {
        let id = state.withLock { $0.number() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    var job = state.jobs[key] ?? Job(work: work, priority: priority, number: id)
                    job.priority = max(job.priority, priority)
                    job.requests[id] = Request(continuation: continuation, progress: progress)
                    state.jobs[key] = job
                }
                // The handler may already have been called, when there was no request yet.
                if Task.isCancelled { cancel(id, of: key, subject) } else { startJobs() }
            }
        } onCancel: {
            cancel(id, of: key, subject)
        }
        return try outcome.get()
    }

    /// Changes the priority of the jobs that wait and whose keys match.
    func setPriority(_ priority: ImagePriority, where matches: (Key) -> Bool) {
        state.withLock { state in
            for key in state.jobs.keys where matches(key) { state.jobs[key]?.priority = priority }
        }
    }

    private func startJobs() {
        while let (key, run, work) = state.withLock({ $0.start(limit) }) {
            let task = Task {
                let outcome = await Self.outcome(of: work) { [weak self] in self?.report($0, for: key) }
                end(key, outcome)
            }
            let isAbandoned = state.withLock { state in
                // It may have ended already, and another job with this key may have begun.
                guard state.jobs[key]?.run == run else { return false }
                state.jobs[key]?.task = task
                guard state.jobs[key]?.requests.isEmpty ?? false else { return false }
                state.jobs[key]?.isCancelled = true
                return true
            }
            if isAbandoned { task.cancel() }
        }
    }

    private static func outcome(
        of work: Work, _ progress: @escaping @Sendable (Double) -> Void
    ) async -> Outcome {
        do throws(ObscuraError) {
            return .success(try await work(progress))
        } catch {
            return .failure(error)
        }
    }

    private func report(_ fraction: Double, for key: Key) {
        let requests = state.withLock { $0.jobs[key]?.requests.values.map(\.progress) ?? [] }
        for progress in requests { progress?(fraction) }
    }

    private func end(_ key: Key, _ outcome: Outcome) {
        let requests = state.withLock { state -> [Int: Request] in
            state.running -= 1
            guard var job = state.jobs.removeValue(forKey: key) else { return [:] }
            if job.isCancelled, !job.requests.isEmpty, case .failure = outcome {
                // Requests that came after the cancellation are no part of it: the job runs again.
                (job.isRunning, job.isCancelled, job.task) = (false, false, nil)
                state.jobs[key] = job
                return [:]
            }
            return job.requests
        }
        for request in requests.values { request.continuation.resume(returning: outcome) }
        startJobs()
    }

    private func cancel(_ id: Int, of key: Key, _ subject: String) {
        let (request, task) = state.withLock { state -> (Request?, Task<Void, Never>?) in
            let request = state.jobs[key]?.requests.removeValue(forKey: id)
            guard let job = state.jobs[key], job.requests.isEmpty else { return (request, nil) }
            // A job that has not begun is forgotten; one that runs ends soon, and removes itself.
            if job.isRunning { state.jobs[key]?.isCancelled = true } else { state.jobs[key] = nil }
            return (request, job.task)
        }
        task?.cancel()
        request?.continuation.resume(returning: .failure(.cancelled(.studio, subject)))
    }
}
