// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// A sample in an ``EncodingQueue``.
package protocol QueuedSample: Sendable {
    /// Whether it takes one of the places for frames; other samples are shorter, and have more places.
    var isVideo: Bool { get }
}

extension MediaSample: QueuedSample {}

/// The state of a run that encodes, protected by an ``EncodingQueue``.
package protocol EncodingState: Sendable {
    associatedtype Sample: QueuedSample

    /// Throws unless the sample can be appended.
    func check(_ sample: Sample) throws(ObscuraError)
    /// Called for each sample that is appended.
    mutating func accept(_ sample: Sample)
}

extension EncodingState {
    package mutating func accept(_ sample: Sample) {}
}

/// The samples that wait for an encoder, its thread, and the state that decides which samples are accepted.
///
/// ```
///   append ──check──► waiting ──► encoder's thread
///      │ while all places are taken
///      ▼
///   waits (task or thread), or returns false
/// ```
///
/// Samples and other jobs run serially, in the order of the calls.
package final class EncodingQueue<State: EncodingState>: Sendable {
    /// A function that encodes a sample, on the thread of the queue.
    package typealias Encode = @Sendable (State.Sample) -> Void

    private typealias Waiter = (id: UInt64, isVideo: Bool, continuation: CheckedContinuation<Bool, Never>)

    private struct Guarded {
        var state: State
        /// Numbers of frames and of audio buffers that wait or are being encoded.
        var video = 0
        var audio = 0
        var waiters: [Waiter] = []
        var nextWaiter: UInt64 = 0
    }

    private let guarded: Lock<Guarded>
    private let pool: WorkerPool
    private let domain: ObscuraError.Domain
    private let subject: String
    private let depth: Int

    /// - Parameters:
    ///   - name: name of the thread.
    ///   - domain: domain of errors, with their `subject`.
    ///   - depth: number of frames that may wait; eight times as many audio buffers may.
    package init(_ state: State, name: String, domain: ObscuraError.Domain, subject: String, depth: Int) {
        guarded = Lock(Guarded(state: state))
        pool = WorkerPool(name: name, threads: 1)
        self.domain = domain
        self.subject = subject
        self.depth = max(1, depth)
        // Starts the thread before the first call, because jobs are submitted with the lock held.
        pool.async {}
    }

    /// Number of samples that wait or are being encoded.
    package var count: Int { guarded.withLock { $0.video + $0.audio } }

    /// Reads or changes the state. For a change that affects waiting calls, see ``update(_:)``.
    package func withState<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        try guarded.withLock { guarded throws(E) in try body(&guarded.state) }
    }

    /// Changes the state, and makes every waiting call check it again.
    package func update<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        let (result, woken) = try guarded.withLockSignalling { guarded throws(E) in
            let result = try body(&guarded.state)
            defer { guarded.waiters = [] }
            return (result, guarded.waiters)
        }
        for waiter in woken { waiter.continuation.resume(returning: true) }
        return result
    }

    /// Runs `job` on the thread, after all appended samples. May be called with the state locked.
    package func run(_ job: @escaping @Sendable () -> Void) {
        pool.async(job)
    }

    // MARK: Samples

    /// Appends a sample; suspends the task while the queue is full.
    nonisolated(nonsending) package func append(
        _ sample: State.Sample, _ encode: @escaping Encode
    ) async throws(ObscuraError) {
        while try !append(sample, until: .now, encode) {
            // Resumed when there may be room: checked again, since the state may have changed.
            let isWoken = await waitForRoom(sample)
            if !isWoken || Task.isCancelled {
                // This call does not use the place that became free, so the next waiting call is resumed.
                if isWoken { wakeNext(sample.isVideo) }
                throw ObscuraError(
                    domain, .cancelled, subject: subject,
                    reason: "the task was cancelled while it waited for the encoder")
            }
        }
    }

    /// Appends a sample; blocks the thread while the queue is full. Returns false if there is no room before the
    /// deadline; does not wait if the deadline has passed.
    package func append(
        _ sample: State.Sample, until deadline: HostTime?, _ encode: @escaping Encode
    ) throws(ObscuraError) -> Bool {
        let answer = guarded.wait(until: deadline) { guarded -> Result<Bool, ObscuraError>? in
            let answer = take(sample, &guarded, encode)
            if case .success(false) = answer { return nil }
            return answer
        }
        return try (answer ?? .success(false)).get()
    }

    /// Called with the lock held, so that jobs run in the order of the calls.
    private func take(
        _ sample: State.Sample, _ guarded: inout Guarded, _ encode: @escaping Encode
    ) -> Result<Bool, ObscuraError> {
        do throws(ObscuraError) {
            try guarded.state.check(sample)
        } catch {
            return .failure(error)
        }
        guard hasRoom(sample.isVideo, guarded) else { return .success(false) }
        guarded.state.accept(sample)
        if sample.isVideo { guarded.video += 1 } else { guarded.audio += 1 }
        pool.async { [self] in
            encode(sample)
            release(sample.isVideo)
        }
        return .success(true)
    }

    /// Whether another sample may wait. More audio buffers than frames may wait, because a buffer is shorter (10 to 25
    /// ms): with equal limits, audio would fall further and further behind if the encoder is slow.
    private func hasRoom(_ isVideo: Bool, _ guarded: Guarded) -> Bool {
        isVideo ? guarded.video < depth : guarded.audio < depth * 8
    }

    private func release(_ isVideo: Bool) {
        let next = guarded.withLockSignalling { guarded in
            if isVideo { guarded.video -= 1 } else { guarded.audio -= 1 }
            return Self.popWaiter(&guarded, isVideo)
        }
        next?.continuation.resume(returning: true)
    }

    // MARK: Waiting tasks

    /// Suspends until there may be room; returns false if the task is cancelled.
    nonisolated(nonsending) private func waitForRoom(_ sample: State.Sample) async -> Bool {
        let id = guarded.withLock { guarded in
            guarded.nextWaiter += 1
            return guarded.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = guarded.withLock { guarded in
                    guard !hasRoom(sample.isVideo, guarded), !Task.isCancelled,
                        (try? guarded.state.check(sample)) != nil
                    else { return false }
                    guarded.waiters.append((id, sample.isVideo, continuation))
                    return true
                }
                if !isWaiting { continuation.resume(returning: true) }
            }
        } onCancel: {
            let waiter = guarded.withLock { guarded in
                guarded.waiters.firstIndex { $0.id == id }.map { guarded.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func wakeNext(_ isVideo: Bool) {
        guarded.withLock { Self.popWaiter(&$0, isVideo) }?.continuation.resume(returning: true)
    }

    private static func popWaiter(_ guarded: inout Guarded, _ isVideo: Bool) -> Waiter? {
        guarded.waiters.firstIndex { $0.isVideo == isVideo }.map { guarded.waiters.remove(at: $0) }
    }
}
