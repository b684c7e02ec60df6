// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// One reader of a connection: its mailbox, what is made of its frames, and how it is handed them.
///
/// Frames are converted on threads of our own (``WorkerPool/transforms``): for a lossy reader only when it
/// asks, so that it gets the newest; for a lossless one a little ahead, beside the decoder.
final class FrameReader: ConnectionReader {
    private struct State {
        /// Frames that are being converted, in order.
        var flights: [TransformJob] = []
        /// Frames of an older epoch belong to a camera or timeline that was left.
        var epoch: UInt64 = 0
        var isWanted = false
        var waiter: (@Sendable () -> Void)?
        /// Since when a lossless reader gets nothing because it holds its limit.
        var stuckSince: HostTime?
        var isWatchingHoldings = false
        var failure: ObscuraError?
    }

    let name: String
    let queue: FrameQueue<RoutedFrame>
    let stages = StageRecorder()
    private let deliversUpright: Bool
    private let settings: @Sendable () -> ImageRequest
    private let imageRequest: @Sendable () -> ImageRequest?
    private let admits: @Sendable (MediaTime) -> Bool
    private let onDrop: @Sendable (DroppedFrame) -> Void
    private let state = Lock(State())
    /// How long a lossless reader may hold its limit before it is told, rather than wait for ever.
    private let holdingPatience: Duration
    /// Ends the watch over what the reader holds.
    private let closing = CancellationToken()

    /// - Parameters:
    ///   - name: whose books these are.
    ///   - settings: what the reader wants frames to be, asked for each frame.
    ///   - imageRequest: the image to make beside the source's own picture, asked for each frame; nil for none. Then
    ///     `settings` does not count.
    ///   - admits: whether it wants the frame of this time at all; asked on the source's thread, must not block.
    ///   - onDrop: told of each frame that the reader does not get, on any thread; must not block.
    ///   - onArrival: told, on the source's thread, that there may be something to take from ``queue``: for a
    ///     reader that takes frames as they are routed and never asks with ``whenReady(_:)``. Must not block.
    init(
        name: String, policy: LateFramePolicy, leaseLimit: Int, deliversUpright: Bool = true,
        holdingPatience: Duration = .seconds(10),
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
        self.deliversUpright = deliversUpright
        // The queue tells its reader, which owns it: the box is filled once the reader exists.
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

    /// Takes a frame of the source in; blocks where the policy is lossless.
    func receive(_ frame: RoutedFrame) {
        guard admits(frame.presentationTime) else { return skip() }
        switch queue.enqueue(frame, epoch: frame.epoch) {
        case .accepted, .closed: break
        case .acceptedInPlaceOf(let older): report(older, .late)
        case .dropped(let reason): report(frame, reason)
        case .droppedWithWaiting(let reason, let older):
            older.forEach { report($0, reason) }
            report(frame, reason)
        }
    }

    func finish(throwing error: ObscuraError?) { queue.finish(throwing: error) }

    /// What it may hold, what waits for it, and what is being made for it.
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

    func lose(_ drop: DroppedFrame) {
        queue.drop(drop.reason)
        onDrop(drop)
    }

    func close() {
        // The queue first: out of a closed one no other thread can start a flight that nobody would end.
        closing.cancel()
        queue.close()
        let flights = state.withLock { state in
            defer { state.flights.removeAll() }
            return state.flights
        }
        for _ in flights { queue.dropInHand(.stopped) }
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
            guard let flight = nextFlight() else {
                guard case .ended(let error) = queue.peek() else { return .nothing }
                return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
            }
            guard let result = flight.result else { return .nothing }
            switch (verdict(on: flight), result) {
            case (.gone, _): continue
            case (.wait, _):
                watchHoldings()
                return .nothing
            case (.granted, .failure(let error as ObscuraError)) where error.code.isRefusal:
                // No frame of this source can be what is asked for: the reader must not wait for one.
                account(for: flight, .transformFailed)
                fail(with: .refused(error, name))
            case (.dropped(let reason), _): account(for: flight, reason)
            case (.granted, .failure(let error)):
                account(for: flight, DropReason(of: error))
            case (.granted(let lease), .success(var frame)):
                frame.picture.lease = lease
                frame.readyImage?.lease = lease
                record(flight, frame)
                advance()
                return .element(frame, epoch: flight.frame.epoch)
            }
        }
    }

    // MARK: Between the two

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

    /// The flight at the head; a frame that needs no work is taken at the last moment, so that a reader
    /// that was slow to wake still gets the newest.
    private func nextFlight() -> TransformJob? {
        let asked = asked
        let (flight, isNew) = state.withLock { state -> (TransformJob?, Bool) in
            if let head = state.flights.first { return (head, false) }
            guard case .element(let frame) = queue.take() else { return (nil, false) }
            return (begin(frame, asked, &state), true)
        }
        if isNew, let flight { launch(flight) }
        return flight
    }

    /// Starts what can be started, and wakes the reader if there is something for it.
    private func advance() {
        // Asked before the lock is taken: whoever owns the settings may go with this call, and this reader
        // with it.
        let asked = asked
        var started: [TransformJob] = []
        let (waiter, isStuck) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            let isEager = queue.policy.isLossless
            while state.flights.count < depth, isEager || state.isWanted,
                case .element(let frame) = queue.take(where: { needsWork($0, asked) })
            {
                started.append(begin(frame, asked, &state))
            }
            if queue.holdings.count < queue.leaseLimit { state.stuckSince = nil }
            guard state.waiter != nil, hasSomething(state) else { return (nil, false) }
            if queue.policy.isLossless, state.failure == nil, queue.holdings.count >= queue.leaseLimit {
                if case .ended = queue.peek(), state.flights.isEmpty {} else { return (nil, true) }
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
        if let head = state.flights.first { return head.result != nil }
        if case .nothing = queue.peek() { return false }
        return true
    }

    private func begin(_ frame: RoutedFrame, _ asked: Asked, _ state: inout State) -> TransformJob {
        let flight = TransformJob(
            frame: frame, request: asked.request, imageRequest: asked.image, isTransform: needsWork(frame, asked),
            makesUpright: deliversUpright)
        state.flights.append(flight)
        if !flight.isTransform { flight.run() }
        return flight
    }

    /// Has a flight made that needs work. Without a lock held: with no thread left, it is made right here.
    private func launch(_ flight: TransformJob) {
        guard flight.isTransform else { return }
        let pool = queue.policy.isLossless ? WorkerPool.transformsAhead : .transforms
        pool.async { [weak self] in
            flight.run()
            self?.advance()
        }
    }

    private enum Verdict {
        case granted(FrameLease)
        /// The reader holds its limit, and the source waits.
        case wait
        case dropped(DropReason)
        /// The reader was closed meanwhile.
        case gone
    }

    /// Whether a finished flight reaches the reader; if it is decided, it is a flight no more.
    private func verdict(on flight: TransformJob) -> Verdict {
        state.withLock { state in
            guard let index = state.flights.firstIndex(where: { $0 === flight }) else { return .gone }
            let verdict: Verdict
            if flight.frame.epoch != state.epoch {
                verdict = .dropped(.discontinuity)
            } else if let lease = queue.lease() {
                verdict = .granted(lease)
                state.isWanted = false
            } else if queue.policy.isLossless {
                return .wait
            } else {
                verdict = .dropped(.outOfBuffers)
            }
            state.flights.remove(at: index)
            return verdict
        }
    }

    /// A lossless reader that holds its limit for ever would wait for ever: it is told. One thread, begun
    /// when the limit is first met, looks each time that the patience may have run out.
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

    /// Ends the reader if it has held its limit for too long; else returns since when to count.
    private func checkHoldings() -> HostTime? {
        let since = state.withLock { $0.stuckSince } ?? .now
        guard .now - since >= holdingPatience else { return since }
        fail(with: .holdsTooMany(name, queue.leaseLimit, holdingPatience))
        return nil
    }

    /// Ends the reader with an error. The source must not wait for it any more.
    private func fail(with error: ObscuraError) {
        state.withLock { $0.failure = error }
        close()
    }

    private func account(for flight: TransformJob, _ reason: DropReason) {
        queue.dropInHand(reason)
        report(flight.frame, reason)
        advance()
    }

    private func record(_ flight: TransformJob, _ frame: VideoFrame) {
        if let dequeueTime = frame.attachments.dequeueTime {
            stages.record(.capture, from: frame.hostTime, to: dequeueTime)
        }
        if let begin = flight.frame.decodingBegin { stages.record(.decode, from: begin, to: flight.frame.arrival) }
        stages.record(.queue, from: flight.frame.arrival, to: flight.begin)
        if flight.isTransform { stages.record(.transform, from: flight.begin, to: flight.end) }
    }

    private func report(_ frame: RoutedFrame, _ reason: DropReason) {
        onDrop(
            DroppedFrame(
                sequence: frame.sequence, presentationTime: frame.presentationTime, reason: reason, count: 1))
    }
}

extension ObscuraError.Code {
    /// Whether the request is refused, whatever the picture.
    fileprivate var isRefusal: Bool { self == .invalidRequest || self == .unsupportedFormat }
}

extension DropReason {
    /// Why a picture could not be made. Only what a device gave can be damaged: it is decoded on the reader's
    /// side.
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
    /// What an output asks of its frames cannot be made of those of its source.
    static func refused(_ error: ObscuraError, _ output: String) -> ObscuraError {
        ObscuraError(
            .capture, .invalidConfiguration, subject: output, reason: "\(error.subject): \(error.reason)",
            remedy: error.remedy ?? .advice("Ask for another size, crop or pixel format."))
    }

    fileprivate static func holdsTooMany(_ reader: String, _ count: Int, _ patience: Duration) -> ObscuraError {
        ObscuraError(
            .capture, .outOfBuffers, subject: reader,
            reason: "it has held \(count) frames for \(patience), its limit, and asks for more",
            advice: "Let go of frames, copy their pixels, or set a higher leaseLimit on the output.")
    }
}
