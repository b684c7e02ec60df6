// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// A reader of a connection's frames: its queue, the conversion, and the delivery.
///
/// Frames are converted on the library's own threads (``WorkerPool/transforms``): for a lossy reader only on
/// request, so that it gets the newest frame; for a lossless one a little ahead, in parallel with the decoder.
final class FrameReader: ConnectionReader {
    private struct State {
        /// Frames being converted, in order.
        var jobs: [TransformJob] = []
        /// The current epoch; frames of an older one belong to a former camera or timeline.
        var epoch: UInt64 = 0
        var isWanted = false
        var waiter: (@Sendable () -> Void)?
        /// The time since which a lossless reader has been blocked at its limit of frames.
        var stuckSince: HostTime?
        var isWatchingHoldings = false
        var failure: ObscuraError?
        /// The number of discontinuities in the frames that were received, and up to the last one that was delivered.
        var receivedDiscontinuities: UInt64 = 0
        var deliveredDiscontinuities: UInt64 = 0
    }

    let name: String
    let queue: FrameQueue<RoutedFrame>
    let stages = StageRecorder()
    private let deliversUpright: Bool
    private let settings: @Sendable () -> ImageRequest
    private let imageRequest: @Sendable () -> ImageRequest?
    private let admits: @Sendable (MediaTime) -> Bool
    let onDrop: @Sendable (DroppedFrame) -> Void
    private let state = Lock(State())
    /// The time for which a lossless reader may be blocked at its limit before it fails with an error.
    private let holdingPatience: Duration
    /// Whether the reader's frames are held by a writer that waits for its destination: then it does not count as
    /// blocked.
    private let isWriting: @Sendable () -> Bool
    /// The token that ends the monitoring of the frames held by the reader.
    private let closing = CancellationToken()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - isWriting: Whether the frames that the reader holds are in the queue of a writer, which may wait for its
    ///     destination without a time limit; called on a thread of its own.
    ///   - settings: Returns the image request; called for each frame.
    ///   - imageRequest: Returns the request for an image beside the source's own, nil for none; called for each frame.
    ///     With such an image, `settings` does not apply.
    ///   - admits: Whether the reader takes a frame with this time; called on the source's thread, must not block.
    ///   - onDrop: Called for each dropped frame, on any thread; must not block.
    ///   - onArrival: Called on the source's thread when there may be a frame to take from ``queue``; for readers
    ///     that take frames as they are routed and do not use ``whenReady(_:)``. Must not block.
    init(
        name: String, policy: LateFramePolicy, leaseLimit: Int, deliversUpright: Bool = true,
        holdingPatience: Duration = .seconds(10), isWriting: @escaping @Sendable () -> Bool = { false },
        settings: @escaping @Sendable () -> ImageRequest,
        imageRequest: @escaping @Sendable () -> ImageRequest? = { nil },
        admits: @escaping @Sendable (MediaTime) -> Bool = { _ in true },
        onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in },
        onArrival: @escaping @Sendable () -> Void = {}
    ) {
        self.name = name
        self.settings = settings
        self.imageRequest = imageRequest
        self.admits = admits
        self.onDrop = onDrop
        self.holdingPatience = holdingPatience
        self.isWriting = isWriting
        self.deliversUpright = deliversUpright
        // The queue calls back the reader that owns it, so the box is filled once the reader exists.
        let owner = Lock(WeakReader())
        queue = FrameQueue(policy: policy, leaseLimit: leaseLimit) {
            onArrival()
            owner.withLock { $0.reader }?.advance()
        }
        owner.withLock { [weak self] in $0.reader = self }
    }

    deinit {
        closing.cancel()
    }

    private struct WeakReader {
        weak var reader: FrameReader?
    }

    // MARK: The source's side

    /// Queues a frame; blocks with a lossless policy while the queue is full.
    func receive(_ frame: RoutedFrame) {
        var frame = frame
        frame.discontinuityCount = state.withLock { state in
            if frame.attachments.isDiscontinuity { state.receivedDiscontinuities += 1 }
            return state.receivedDiscontinuities
        }
        if admits(frame.presentationTime) { enqueue(frame) } else { skip() }
    }

    func finish(throwing error: ObscuraError?) { queue.finish(throwing: error) }

    /// The sum of frames that are held, queued and being converted.
    var bufferCount: Int { queue.leaseLimit + queue.policy.capacity + 2 }

    func enter(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        _ = queue.begin(epoch: epoch)
    }

    func begin(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        for frame in queue.begin(epoch: epoch) { report(frame, .discontinuity) }
        advance()
    }

    func isCurrent(_ epoch: UInt64) -> Bool {
        state.withLock { $0.epoch == epoch }
    }

    func close() {
        // The queue is closed first, so that no other thread can start a job after the jobs have been removed.
        closing.cancel()
        queue.close()
        let jobs = state.withLock { state in
            defer { state.jobs.removeAll() }
            return state.jobs
        }
        for _ in jobs { queue.dropInHand(.stopped) }
        advance()
    }

    // MARK: The reader's side

    func whenReady(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waiter = body
            state.isWanted = true
        }
        advance()
    }

    func takeReady() -> Ready<VideoFrame> {
        while true {
            if let failure = state.withLock({ $0.failure }) { return .ended(failure) }
            guard let job = nextJob() else {
                guard case .ended(let error) = queue.peek() else { return .nothing }
                return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
            }
            guard let result = job.result else { return .nothing }
            switch (verdict(on: job), result) {
            case (.gone, _): continue
            case (.wait, _):
                watchHoldings()
                return .nothing
            case (.granted, .failure(let error as ObscuraError)) where error.code.isRefusal:
                // No frame of this source can satisfy the request, so the reader fails instead of waiting.
                account(for: job, .transformFailed)
                fail(with: .refused(error, name))
            case (.dropped(let reason), _): account(for: job, reason)
            case (.granted, .failure(let error)):
                account(for: job, DropReason(of: error))
            case (.granted(let lease), .success(var frame)):
                frame.picture.lease = lease
                frame.readyImage?.lease = lease
                if followsDiscontinuity(job) { frame.attachments.isDiscontinuity = true }
                record(job, frame)
                advance()
                return .element(frame, epoch: job.frame.epoch)
            }
        }
    }

    // MARK: Conversion

    /// The settings for one frame.
    private struct Asked {
        let request: ImageRequest
        let image: ImageRequest?
    }

    private var asked: Asked { Asked(request: settings(), image: imageRequest()) }

    private func needsWork(_ frame: RoutedFrame, _ asked: Asked) -> Bool {
        asked.image != nil || frame.needsWork(for: asked.request, upright: deliversUpright)
    }

    private var depth: Int { queue.policy.isLossless ? 2 : 1 }

    /// Returns the first job. A frame that needs no conversion is taken as late as possible, so that a slow reader
    /// still gets the newest.
    private func nextJob() -> TransformJob? {
        let asked = asked
        let (job, isNew) = state.withLock { state -> (TransformJob?, Bool) in
            if let head = state.jobs.first { return (head, false) }
            guard case .element(let frame) = queue.take() else { return (nil, false) }
            return (begin(frame, asked, &state), true)
        }
        if isNew, let job { launch(job) }
        return job
    }

    /// Starts pending conversions, and calls the waiter if there is something to take.
    private func advance() {
        // Evaluated before the lock is taken: the call may release the owner of the settings, and this reader with it.
        let asked = asked
        var started: [TransformJob] = []
        let (waiter, isStuck) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            let isEager = queue.policy.isLossless
            while state.jobs.count < depth, isEager || state.isWanted,
                case .element(let frame) = queue.take(where: { needsWork($0, asked) })
            {
                started.append(begin(frame, asked, &state))
            }
            if queue.holdings.count < queue.leaseLimit { state.stuckSince = nil }
            guard state.waiter != nil, hasSomething(state) else { return (nil, false) }
            if queue.policy.isLossless, state.failure == nil, queue.holdings.count >= queue.leaseLimit {
                if case .ended = queue.peek(), state.jobs.isEmpty {} else { return (nil, true) }
            }
            defer { state.waiter = nil }
            return (state.waiter, false)
        }
        started.forEach(launch)
        if isStuck { watchHoldings() }
        waiter?()
    }

    private func hasSomething(_ state: State) -> Bool {
        if state.failure != nil { return true }
        if let head = state.jobs.first { return head.result != nil }
        if case .nothing = queue.peek() { return false }
        return true
    }

    private func begin(_ frame: RoutedFrame, _ asked: Asked, _ state: inout State) -> TransformJob {
        let job = TransformJob(
            frame: frame, request: asked.request, imageRequest: asked.image, isTransform: needsWork(frame, asked),
            makesUpright: deliversUpright)
        state.jobs.append(job)
        if !job.isTransform { job.run() }
        return job
    }

    /// Runs a job that needs a conversion on a worker thread. Called without a lock held, since the job runs here
    /// if no thread can be created.
    private func launch(_ job: TransformJob) {
        guard job.isTransform else { return }
        let pool = queue.policy.isLossless ? WorkerPool.transformsAhead : .transforms
        pool.async { [weak self] in
            job.run()
            self?.advance()
        }
    }

    private enum Verdict {
        case granted(FrameLease)
        /// The reader holds the maximum number of frames. The job waits until the reader releases a frame.
        case wait
        case dropped(DropReason)
        /// The job is no longer in the reader, for example because the reader was closed.
        case gone
    }

    /// Decides whether a finished job is delivered; unless the reader must wait, the job is removed.
    private func verdict(on job: TransformJob) -> Verdict {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0 === job }) else { return .gone }
            let verdict: Verdict
            if job.frame.epoch != state.epoch {
                verdict = .dropped(.discontinuity)
            } else if let lease = queue.lease() {
                verdict = .granted(lease)
                state.isWanted = false
            } else if queue.policy.isLossless {
                return .wait
            } else {
                verdict = .dropped(.outOfBuffers)
            }
            state.jobs.remove(at: index)
            return verdict
        }
    }

    /// Whether the timeline is interrupted between the frame that was delivered before and this one: the first frame
    /// after the interruption may have been dropped.
    private func followsDiscontinuity(_ job: TransformJob) -> Bool {
        state.withLock { state in
            defer { state.deliveredDiscontinuities = job.frame.discontinuityCount }
            return state.deliveredDiscontinuities != job.frame.discontinuityCount
        }
    }

    /// Monitors a lossless reader that holds its limit of frames and would block its source forever: it fails with
    /// an error instead. A single thread, started when the limit is first reached, wakes whenever `holdingPatience`
    /// may have passed.
    private func watchHoldings() {
        let isFirst = state.withLock { state in
            if state.stuckSince == nil { state.stuckSince = .now }
            defer { state.isWatchingHoldings = true }
            return !state.isWatchingHoldings
        }
        guard isFirst else { return }
        let isStarted = WorkerThread.detach(name: "holdings") { [weak self, closing, holdingPatience] in
            var next = HostTime.now + holdingPatience
            while !closing.wait(until: next) {
                guard let since = self?.checkHoldings() else { return }
                next = since + holdingPatience
            }
        }
        if !isStarted { state.withLock { $0.isWatchingHoldings = false } }
    }

    /// Ends the reader if it has held its limit for too long; otherwise returns the start of the current wait.
    private func checkHoldings() -> HostTime? {
        let since = state.withLock { $0.stuckSince } ?? .now
        guard .now - since >= holdingPatience else { return since }
        if isWriting() {
            // The wait begins anew, unless it has ended meanwhile.
            return state.withLock { state in
                if state.stuckSince != nil { state.stuckSince = .now }
                return state.stuckSince ?? .now
            }
        }
        fail(with: .holdsTooMany(name, queue.leaseLimit, holdingPatience))
        return nil
    }

    /// Ends the reader with an error and unblocks the source.
    private func fail(with error: ObscuraError) {
        state.withLock { $0.failure = error }
        close()
    }

    private func account(for job: TransformJob, _ reason: DropReason) {
        queue.dropInHand(reason)
        report(job.frame, reason)
        advance()
    }

    private func record(_ job: TransformJob, _ frame: VideoFrame) {
        if let dequeueTime = frame.attachments.dequeueTime {
            stages.record(.capture, from: frame.hostTime, to: dequeueTime)
        }
        if let begin = job.frame.decodingBegin { stages.record(.decode, from: begin, to: job.frame.arrival) }
        stages.record(.queue, from: job.frame.arrival, to: job.begin)
        if job.isTransform { stages.record(.transform, from: job.begin, to: job.end) }
    }
}

extension ObscuraError.Code {
    /// Whether the request is invalid for every image.
    fileprivate var isRefusal: Bool { self == .invalidRequest || self == .unsupportedFormat }
}

extension DropReason {
    /// Creates the drop reason for a failed conversion. Only frames from devices can be damaged, since they are decoded
    /// on the reader's side.
    fileprivate init(of error: any Error) {
        self =
            switch (error as? ObscuraError)?.code {
            case .poolExhausted: .outOfBuffers
            case .damaged, .tooLarge: .deviceError
            default: .transformFailed
            }
    }
}

extension ObscuraError {
    /// Returns the error for an output whose request cannot be satisfied from the frames of its source.
    static func refused(_ error: ObscuraError, _ output: String) -> ObscuraError {
        ObscuraError(
            .capture, .invalidConfiguration, subject: output, reason: "\(error.subject): \(error.reason)",
            remedy: error.remedy ?? .advice("Request another size, crop or pixel format."))
    }

    fileprivate static func holdsTooMany(_ reader: String, _ count: Int, _ patience: Duration) -> ObscuraError {
        ObscuraError(
            .capture, .outOfBuffers, subject: reader,
            reason: "the reader has held the maximum of \(count) frames for \(patience), and needs another frame",
            advice: "Release frames, copy their pixels, or set a higher leaseLimit on the output.")
    }
}
