// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia
internal import Synchronization

/// A reader of a connection's frames: its queue, the conversion, and the delivery.
///
/// Frames are converted on the library's own threads (``WorkerPool/transforms``): for a lossy reader only on
/// request, so that it gets the newest frame; for a lossless one a little ahead, in parallel with the decoder.
final class FrameReader: ConnectionReader, FrameQueueListener {
    struct State {
        /// The settings after ``knownChanges`` changes.
        var settings = ReaderSettings(request: ImageRequest(), image: nil)
        /// Nil if the settings must be read for the next frame.
        var knownChanges: UInt64?
        /// Frames being converted, in order.
        var jobs: [TransformJob] = []
        /// The current epoch; frames of an older one belong to a former camera or timeline.
        var epoch: UInt64 = 0
        var isWanted = false
        var waiter: ReaderWaiter?
        var failure: ObscuraError?
        /// The number of discontinuities up to the last frame that was delivered.
        var deliveredDiscontinuities: UInt64 = 0
        /// Whether the last frame was delivered as it was: the next one is then expected to need no conversion either.
        var isPlain = false

        /// The value of ``knownChanges`` after settings were read whose changes are not counted. They hold for one frame.
        static let uncounted = UInt64.max
    }

    let name: String
    let queue: FrameQueue<RoutedFrame>
    let stages = StageRecorder()
    let deliversUpright: Bool
    let request: @Sendable () -> ImageRequest
    let imageRequest: @Sendable () -> ImageRequest?
    let settingsChanges: ChangeCount?
    private let onArrival: @Sendable () -> Void
    private let admits: @Sendable (MediaTime) -> Bool
    let onDrop: @Sendable (DroppedFrame) -> Void
    let state = Lock(State())
    /// The number of discontinuities in the frames that were received. Changed by the source's thread only.
    private let discontinuities = Atomic<UInt64>(0)
    /// The watch of a lossless reader, which fails with an error if it is blocked at its limit for too long.
    private let holdingWatch: HoldingWatch

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - isWriting: Whether the frames that the reader holds are in the queue of a writer, which may wait for its
    ///     destination without a time limit; called on a thread of its own.
    ///   - settings: Returns the image request.
    ///   - imageRequest: Returns the request for an image beside the source's own, nil for none. With such an image,
    ///     `settings` does not apply.
    ///   - settingsChanges: The count of the changes of both: they are called again after a change. Nil if changes are
    ///     not counted: they are then called for each frame.
    ///   - admits: Whether the reader takes a frame with this time; called on the source's thread, must not block.
    ///   - onDrop: Called for each dropped frame, on any thread; must not block.
    ///   - onArrival: Called on the source's thread when there may be a frame to take from ``queue``; for readers
    ///     that take frames as they are routed and do not use ``whenReady(_:)``. Must not block.
    init(
        name: String, policy: LateFramePolicy, leaseLimit: Int, deliversUpright: Bool = true,
        holdingPatience: Duration = .seconds(10), isWriting: @escaping @Sendable () -> Bool = { false },
        settings: @escaping @Sendable () -> ImageRequest,
        imageRequest: @escaping @Sendable () -> ImageRequest? = { nil },
        settingsChanges: ChangeCount? = nil,
        admits: @escaping @Sendable (MediaTime) -> Bool = { _ in true },
        onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in },
        onArrival: @escaping @Sendable () -> Void = {}
    ) {
        self.name = name
        request = settings
        self.imageRequest = imageRequest
        self.settingsChanges = settingsChanges
        self.onArrival = onArrival
        self.admits = admits
        self.onDrop = onDrop
        holdingWatch = HoldingWatch(patience: holdingPatience, isWriting: isWriting)
        self.deliversUpright = deliversUpright
        queue = FrameQueue(policy: policy, leaseLimit: leaseLimit)
        queue.tell(self)
    }

    func queueChanged() {
        onArrival()
        advance()
    }

    // MARK: The source's side

    /// Queues a frame; blocks with a lossless policy while the queue is full.
    func receive(_ frame: RoutedFrame) {
        var frame = frame
        if frame.attachments.isDiscontinuity { discontinuities.add(1, ordering: .relaxed) }
        frame.discontinuityCount = discontinuities.load(ordering: .relaxed)
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
        holdingWatch.close()
        queue.close()
        let jobs = state.withLock { state in
            defer { state.jobs.removeAll() }
            return state.jobs
        }
        for _ in jobs { queue.dropInHand(.stopped) }
        advance()
    }

    // MARK: The reader's side

    func whenReady(_ waiter: ReaderWaiter) {
        advance { state in
            state.waiter = waiter
            state.isWanted = true
        }
    }

    func takeReady() -> Ready<VideoFrame> {
        while true {
            // Read first: a change that comes after it is noticed with the next frame.
            let changes = settingsChanges?.number
            switch state.withLock({ take(&$0, changes) }) {
            case .failed(let error): return .ended(error)
            case .job(let job):
                if let ready = takeConverted(job) { return ready }
            case .unconverted(let frame, let lease, let isDiscontinuous):
                do {
                    return deliver(try frame.pixels(), of: frame, lease, isDiscontinuous, from: .now)
                } catch {
                    account(for: frame, DropReason(of: error))
                }
            case .dropped(let frame, let reason, _): account(for: frame, reason)
            case .started(let job): launch(job)
            case .staleSettings: readSettings()
            case .again: break
            case .nothing(let outlook): return nothing(outlook)
            }
        }
    }

    private enum Taken {
        case failed(ObscuraError)
        /// The first conversion, under way or finished.
        case job(TransformJob)
        /// A frame that is delivered as it is.
        case unconverted(RoutedFrame, FrameLease, isDiscontinuous: Bool)
        /// The lease is released without the lock, since its end looks at the state.
        case dropped(RoutedFrame, DropReason, FrameLease?)
        case started(TransformJob)
        /// There is a frame, and the settings for it must be read.
        case staleSettings
        case again
        case nothing(FrameQueue<RoutedFrame>.Outlook)
    }

    /// Takes the first queued frame, as late as possible, so that a slow reader still gets the newest; or starts its
    /// conversion.
    private func take(_ state: inout State, _ changes: UInt64?) -> Taken {
        if let failure = state.failure { return .failed(failure) }
        if let job = state.jobs.first { return .job(job) }
        guard state.knownChanges == changes ?? State.uncounted else {
            let outlook = queue.outlook
            return outlook.hasElement ? .staleSettings : .nothing(outlook)
        }
        let isPlain = state.settings.isPlain
        if changes == nil { state.knownChanges = nil }
        switch queue.takeLeased(where: { !needsWork($0, isPlain: isPlain) }) {
        case .element(let frame, let lease):
            guard frame.epoch == state.epoch else { return .dropped(frame, .discontinuity, lease) }
            guard let lease else { return .dropped(frame, .outOfBuffers, nil) }
            state.isWanted = false
            state.isPlain = true
            return .unconverted(frame, lease, isDiscontinuous: state.deliver(frame))
        case .unwanted:
            let settings = state.settings
            guard case .element(let frame) = queue.take(where: { needsWork($0, isPlain: isPlain) }) else {
                return .again
            }
            return .started(begin(frame, settings, &state))
        case .nothing(let outlook): return .nothing(outlook)
        }
    }

    private func nothing(_ outlook: FrameQueue<RoutedFrame>.Outlook) -> Ready<VideoFrame> {
        if outlook.hasElement {
            if queue.policy.isLossless, outlook.isAtLimit { watchHoldings() }
        } else if outlook.hasEnded, case .ended(let error) = queue.peek() {
            return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
        }
        return .nothing
    }

    /// Takes the frame of the first job; nil if another frame may be there instead.
    private func takeConverted(_ job: TransformJob) -> Ready<VideoFrame>? {
        guard let result = job.result else { return .nothing }
        switch (verdict(on: job), result) {
        case (.gone, _): return nil
        case (.wait, _):
            watchHoldings()
            return .nothing
        case (.granted, .failure(let error as ObscuraError)) where error.code.isRefusal:
            // No frame of this source can satisfy the request, so the reader fails instead of waiting.
            account(for: job.frame, .transformFailed)
            fail(with: .refused(error, name))
            return nil
        case (.dropped(let reason), _):
            account(for: job.frame, reason)
            return nil
        case (.granted, .failure(let error)):
            account(for: job.frame, DropReason(of: error))
            return nil
        case (.granted(let lease), .success(let frame)):
            let isDiscontinuous = state.withLock { $0.deliver(job.frame) }
            stages.record(.transform, from: job.begin, to: job.end)
            return deliver(frame, of: job.frame, lease, isDiscontinuous, from: job.begin)
        }
    }

    /// - Parameter begin: The time when the frame left the queue.
    private func deliver(
        _ frame: consuming VideoFrame, of routed: RoutedFrame, _ lease: FrameLease, _ isDiscontinuous: Bool,
        from begin: HostTime
    ) -> Ready<VideoFrame> {
        frame.picture.lease = lease
        frame.readyImage?.lease = lease
        if isDiscontinuous { frame.attachments.isDiscontinuity = true }
        let (hostTime, dequeueTime) = (frame.hostTime, frame.attachments.dequeueTime)
        stages.record { stages in
            if let dequeueTime { stages.add(.capture, from: hostTime, to: dequeueTime) }
            if let decoding = routed.decodingBegin { stages.add(.decode, from: decoding, to: routed.arrival) }
            stages.add(.queue, from: routed.arrival, to: begin)
        }
        // The next conversion may begin.
        if queue.policy.isLossless { advance() }
        return .element(frame, epoch: routed.epoch)
    }

    // MARK: Either side

    /// Starts pending conversions, and calls the waiter if there is something to take.
    ///
    /// - Parameter change: A change of the state to make first, with the lock held.
    func advance(after change: (inout State) -> Void = { _ in }) {
        let next = state.withLock { state -> Next in
            change(&state)
            let outlook = queue.outlook
            let mayStart = outlook.hasElement && !state.isPlain && mayStart(state)
            return mayStart ? .conversions : self.next(&state, outlook)
        }
        switch next {
        case .conversions:
            startConversions()
            act(on: state.withLock { self.next(&$0, queue.outlook) })
        default: act(on: next)
        }
    }

    /// What is to be done after a change.
    private enum Next {
        case nothing
        /// To start conversions, before anything else.
        case conversions
        /// To tell the waiter that there is something to take.
        case wake(ReaderWaiter)
        /// To watch a lossless reader that cannot take what there is, since it holds its limit of frames.
        case watch
    }

    private func next(_ state: inout State, _ outlook: FrameQueue<RoutedFrame>.Outlook) -> Next {
        if queue.policy.isLossless, !outlook.isAtLimit { holdingWatch.end() }
        let hasSomething = state.failure != nil || state.jobs.first.map(\.hasEnded) ?? outlook.hasSomething
        guard hasSomething, let waiter = state.waiter else { return .nothing }
        let isEnd = state.jobs.isEmpty && !outlook.hasElement
        if queue.policy.isLossless, state.failure == nil, outlook.isAtLimit, !isEnd { return .watch }
        state.waiter = nil
        return .wake(waiter)
    }

    private func act(on next: Next) {
        switch next {
        case .wake(let waiter): waiter.wake()
        case .watch: watchHoldings()
        case .nothing, .conversions: break
        }
    }

    private func watchHoldings() {
        holdingWatch.begin { [weak self] in
            guard let self else { return }
            fail(with: .holdsTooMany(name, queue.leaseLimit, holdingWatch.patience))
        }
    }

    /// Ends the reader with an error and unblocks the source.
    private func fail(with error: ObscuraError) {
        state.withLock { $0.failure = error }
        close()
    }

    private func account(for frame: RoutedFrame, _ reason: DropReason) {
        queue.dropInHand(reason)
        report(frame, reason)
        advance()
    }
}

extension FrameReader.State {
    /// Notes the delivery of a frame. Returns whether the timeline is interrupted between the frame that was delivered
    /// before and this one: the first frame after the interruption may have been dropped.
    fileprivate mutating func deliver(_ frame: RoutedFrame) -> Bool {
        defer { deliveredDiscontinuities = frame.discontinuityCount }
        return deliveredDiscontinuities != frame.discontinuityCount
    }
}
