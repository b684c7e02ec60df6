// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A writer with a ``WritingQueue``: appending a frame does not block while it holds fewer frames than its capacity.
protocol QueuedWriter: FrameWriter {
    var queue: WritingQueue { get }
    /// Whether it converts frames according to this request itself, when it writes them.
    func converts(_ request: ImageRequest) -> Bool
}

extension QueuedWriter {
    func converts(_ request: ImageRequest) -> Bool { false }
}

/// The queue shared by the threads of a writer: queued frames, frames being written, counts, and errors.
///
/// ```
///   append ──► waiting ──take──► in hand ──done──► counted
///      │ blocks while waiting + in hand == capacity
/// ```
final class WritingQueue: Sendable {
    struct Job: Sendable {
        let index: Int
        let frame: VideoFrame
        /// The conversion by the writer.
        var request = ImageRequest()
    }

    /// The time at which a thread without frames is woken.
    enum Wake {
        /// When the next frame is appended.
        case once
        /// When half of the queue is full, or after ``restTime`` at the latest, so that one wake serves several frames.
        case several
    }

    /// The time for which a thread rests at most; afterwards each frame wakes it.
    private static let restTime = Duration.milliseconds(10)

    private struct State {
        var waiting: [Job] = []
        /// The wake policy of the last frame.
        var wake = Wake.once
        /// Whether the thread has just run out of frames; only with ``WritingQueue/Wake/several``.
        var isResting = false
        var inHand = 0
        var added = 0
        var isClosed = false
        var failure: ObscuraError?
        /// The index of the failed job; the lowest one if several failed.
        var failed = Int.max
        var counts = WrittenFrames()
        var encoding = DurationHistogram()
        var writing = DurationHistogram()

        /// The next job, taken in hand; `.some(nil)` if no more can follow, nil if there is none yet.
        mutating func next() -> Job?? {
            if failure != nil { return .some(nil) }
            if waiting.isEmpty { return isClosed ? .some(nil) : nil }
            inHand += 1
            return waiting.removeFirst()
        }
    }

    private let state = Lock(State())
    private let subject: String
    let capacity: Int

    init(subject: String, capacity: Int) {
        self.subject = subject
        self.capacity = capacity
    }

    var counts: WrittenFrames {
        state.withLock { state in
            var counts = state.counts
            counts.encoding = state.encoding.statistics
            counts.writing = state.writing.statistics
            return counts
        }
    }

    /// Whether there are frames to write; false after a failure.
    var isWriting: Bool { state.withLock { $0.failure == nil && $0.waiting.count + $0.inHand > 0 } }

    // MARK: The caller's side

    /// Runs `work`, which takes jobs until none are left, on `count` threads; at least one must start.
    func start(
        threads count: Int, name: String, _ work: @escaping @Sendable (WritingQueue) -> Void
    ) throws(ObscuraError) {
        let started = (0..<count).count { _ in
            WorkerThread.detach(name: name) { [self] in
                // The decoder and the camera have priority: without frames there is nothing to write.
                WorkerThread.setNiceness(10)
                work(self)
            }
        }
        if started == 0 {
            throw ObscuraError.noThread(.files, .notWritable, subject)
        }
    }

    /// Appends a frame, which the writer converts according to `request`; blocks while the queue is full. Returns false
    /// if the deadline has passed.
    ///
    /// - Parameter wake: The time at which an idle thread is woken.
    func append(
        _ frame: VideoFrame, as request: ImageRequest = ImageRequest(), wake: Wake = .once, until deadline: HostTime?
    ) throws(ObscuraError) -> Bool {
        let answer = state.wait(until: deadline) { [capacity, subject] state -> Result<Bool, ObscuraError>? in
            if let failure = state.failure ?? (state.isClosed ? .closed(subject) : nil) { return .failure(failure) }
            guard state.waiting.count + state.inHand < capacity else { return nil }
            state.waiting.append(Job(index: state.added, frame: frame, request: request))
            state.added += 1
            state.wake = wake
            if wake == .once || state.waiting.count >= capacity / 2 { state.isResting = false }
            return .success(!state.isResting)
        }
        guard let isDue = try answer?.get() else { return false }
        // The threads wait for the same condition.
        if isDue { state.withLockSignalling { _ in } }
        return true
    }

    func close() {
        state.withLockSignalling { $0.isClosed = true }
    }

    func finish(until deadline: HostTime?) throws(ObscuraError) {
        close()
        let outcome = state.wait(until: deadline) { state -> ObscuraError?? in
            guard state.inHand == 0, state.waiting.isEmpty || state.failure != nil else { return nil }
            return .some(state.failure)
        }
        switch outcome {
        case .some(nil): return
        case .some(let failure?): throw failure
        case nil:
            throw ObscuraError(.files, .timedOut, subject: subject, reason: "the last frames were not written in time")
        }
    }

    // MARK: The threads' side

    /// Returns the next job; blocks until there is one. Nil when no more can follow.
    func take() -> Job? {
        if state.withLock({ $0.wake == .several }), let next = rest() { return next }
        return state.wait { state -> Job?? in
            state.isResting = false
            return state.next()
        } ?? nil
    }

    /// Returns the next job, or nil after ``restTime`` without a reason to wake.
    private func rest() -> Job?? {
        state.wait(until: .now + Self.restTime) { state -> Job?? in
            if state.isResting, !state.isClosed, state.failure == nil { return nil }
            let next = state.next()
            if next == nil { state.isResting = true }
            return next
        }
    }

    /// Counts a job as written. The job is alive until then: the release of its frame may append the next one on this
    /// thread, for which there must be a place.
    func done(
        _ job: Job, _ picture: (size: PixelSize, format: PixelFormat), bytes: Int,
        begin: HostTime, encoded: HostTime, end: HostTime
    ) {
        state.withLockSignalling { state in
            state.inHand -= 1
            state.counts.frames += 1
            state.counts.bytes += Int64(bytes)
            state.counts.size = picture.size
            state.counts.pixelFormat = picture.format
            state.encoding.record(from: begin, to: encoded)
            state.writing.record(from: encoded, to: end)
        }
        withExtendedLifetime(job) {}
    }

    /// Records the failure of a job; no other job is started.
    func fail(_ job: Job, _ error: ObscuraError) {
        let waiting = state.withLockSignalling { state -> [Job] in
            state.inHand -= 1
            if job.index < state.failed { (state.failed, state.failure) = (job.index, error) }
            defer { state.waiting = [] }
            return state.waiting
        }
        withExtendedLifetime(waiting) {}
    }
}
