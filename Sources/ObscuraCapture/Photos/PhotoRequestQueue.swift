// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The queue of photo requests: keeps the most recent frames, and delivers frames to the requests.
///
/// Frames are taken from the reader's queue, and copied if necessary, on a separate thread.
final class PhotoRequestQueue: Sendable {
    private struct Waiting {
        let request: PhotoRequest
        var schedule: PhotoSchedule
        /// The time of the last frame delivered to the request.
        var progress: HostTime
    }

    private struct State {
        var reader: FrameReader?
        var kept: [KeptFrame] = []
        var waiting: [Waiting] = []
        var isScheduled = false
        /// The newest frame received, kept or not.
        var last: PhotoSchedule.Moment?
        /// The last frame of each timeline, with the first frame of the next one.
        var turnovers: [(from: PhotoSchedule.Moment, to: PhotoSchedule.Moment)] = []
    }

    private let name: String
    private let depth: Int
    private let pool: PixelBufferPool
    private let patience: Duration
    private let worker = WorkerPool(name: "photo", threads: 1)
    private let state = Lock(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - depth: the number of most recent frames to keep.
    ///   - limit: the maximum number of frames held besides them.
    ///   - patience: the time limit of a request that gets no frame.
    init(name: String, depth: Int, limit: Int, patience: Duration) {
        self.name = name
        self.depth = depth
        self.patience = patience
        pool = PixelBufferPool(capacity: depth + limit + 1)
    }

    // MARK: Session

    /// Takes frames of `reader` from now on. Returns false if another reader is open.
    func open(_ reader: FrameReader) -> Bool {
        state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
    }

    /// Releases all frames, and ends all requests with `error`.
    func close(throwing error: ObscuraError) {
        let (kept, waiting) = state.withLock { state in
            defer { (state.reader, state.kept, state.waiting) = (nil, [], []) }
            return (state.kept, state.waiting)
        }
        withExtendedLifetime(kept) {}
        end(waiting, error)
    }

    /// Whether a reader is open and its source has ended.
    var hasEnded: Bool { ending != nil }

    /// The reason why no more frames follow; nil while they may.
    var ending: ObscuraError? {
        guard let reader = state.withLock({ $0.reader }), reader.queue.hasEnded else { return nil }
        guard case .ended(let error?) = reader.queue.peek() else { return .ended(name) }
        return ObscuraError(wrapping: error, as: .capture, .deviceFailed, subject: name)
    }

    /// Signals that the reader may have frames. Any thread; does not block.
    func arrived() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { worker.async { [self] in take() } }
    }

    // MARK: Requests

    /// Adds a request, and delivers frames to it, beginning with the kept ones.
    func add(_ request: PhotoRequest, _ schedule: PhotoSchedule) {
        worker.async { [self] in
            // Frames that arrived before the request count as known.
            take()
            let ending = ending
            let kept = state.withLock { state -> [KeptFrame]? in
                guard let reader = state.reader, ending == nil, !request.isOver.isCancelled else { return nil }
                // The time limit begins at the moment of the photo.
                let begin = max(.now, schedule.moment ?? .now)
                state.waiting.append(Waiting(request: request, schedule: schedule, progress: begin))
                // Excludes frames of a previous camera while the current one has delivered
                // none.
                return state.kept.filter { reader.isCurrent($0.frame.epoch) }
            }
            guard let kept else { return request.onEnd(ending ?? .cancelled(.capture, name)) }
            serve(kept, new: kept.count, only: request)
            if !request.isOver.isCancelled { watch(request) }
        }
    }

    /// Ends a request, if it has not ended.
    func withdraw(_ request: PhotoRequest, throwing error: ObscuraError) {
        let waiting = state.withLock { state in
            // Within the lock: the request is either in the list already, or `add` sees the
            // cancellation.
            request.isOver.cancel()
            let waiting = state.waiting.filter { $0.request === request }
            state.waiting.removeAll { $0.request === request }
            return waiting
        }
        end(waiting, error)
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The newest frame received.
    var last: PhotoSchedule.Moment? { state.withLock { $0.last } }

    /// Returns the time without frames between the timeline and its successor; nil while the successor has no frames.
    func gap(after epoch: UInt64) -> Duration? {
        state.withLock { $0.turnovers.last { $0.from.epoch == epoch } }.map { $0.to.hostTime - $0.from.hostTime }
    }

    // MARK: Worker

    private func take() {
        state.withLock { $0.isScheduled = false }
        while let reader = state.withLock({ $0.reader }) {
            switch reader.queue.take() {
            case .element(let frame): receive(frame, from: reader)
            case .nothing: return
            case .ended(let error):
                return end(
                    state.withLock { state in
                        defer { state.waiting = [] }
                        return state.waiting
                    },
                    error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) } ?? .ended(name)
                )
            }
        }
    }

    private func receive(_ frame: RoutedFrame, from reader: FrameReader) {
        let moment = PhotoSchedule.Moment(
            hostTime: frame.hostTime, time: frame.presentationTime, epoch: frame.epoch)
        let isWanted = state.withLock { state in
            if let last = state.last, last.epoch != moment.epoch {
                state.turnovers = state.turnovers.suffix(7) + [(last, moment)]
            }
            state.last = moment
            return depth > 0 || !state.waiting.isEmpty
        }
        guard isWanted else { return reader.finish() }
        guard let lease = reader.queue.lease(), let kept = KeptFrame.keep(frame, lease, in: pool) else {
            return reader.queue.dropInHand(.outOfBuffers)
        }
        let taken = state.withLock { state -> (frames: [KeptFrame], former: [KeptFrame])? in
            // After a stop, nothing would release the frame.
            guard state.reader === reader else { return nil }
            let former = state.kept
            // Frames of a previous camera or timeline were never on screen in this one.
            let known = former.filter { $0.frame.epoch == kept.frame.epoch } + [kept]
            state.kept = known.suffix(depth)
            return (known, former)
        }
        guard let taken else { return reader.dropInHand(.stopped) }
        // Outside the lock: releasing the last reference ends a frame's lease, which calls back into
        // this queue.
        withExtendedLifetime(taken.former) {}
        reader.finish()
        serve(taken.frames, new: 1)
    }

    private func serve(_ frames: [KeptFrame], new: Int, only request: PhotoRequest? = nil) {
        let moments = frames.map(\.moment)
        let served = state.withLock { state -> [(request: PhotoRequest, taken: [Int], isOver: Bool)] in
            var served: [(request: PhotoRequest, taken: [Int], isOver: Bool)] = []
            for index in state.waiting.indices where request == nil || state.waiting[index].request === request {
                let taken = state.waiting[index].schedule.take(from: moments, new: new)
                guard !taken.isEmpty else { continue }
                state.waiting[index].progress = .now
                served.append((state.waiting[index].request, taken, state.waiting[index].schedule.remaining == 0))
            }
            state.waiting.removeAll { $0.schedule.remaining == 0 }
            return served
        }
        for one in served {
            for index in one.taken { one.request.onFrame(frames[index]) }
            guard one.isOver else { continue }
            one.request.isOver.cancel()
            one.request.onEnd(nil)
        }
    }

    private func end(_ waiting: [Waiting], _ error: ObscuraError) {
        for one in waiting {
            one.request.isOver.cancel()
            one.request.onEnd(error)
        }
    }

    /// The error of a request without a frame in time: the camera delivered none, or no more could be kept.
    private var tooLate: ObscuraError {
        guard let reader = state.withLock({ $0.reader }), reader.queue.holdings.count >= reader.queue.leaseLimit else {
            return .noFrame(name, patience)
        }
        return ObscuraError(
            .capture, .outOfBuffers, subject: name,
            reason: "the output and its photos already hold the maximum of \(reader.queue.leaseLimit) frames",
            advice: "Release photos that were taken with keepsFrame, or set keepsFrame to false.")
    }

    /// Starts the time limit of a request, for cameras that deliver no frames.
    private func watch(_ request: PhotoRequest) {
        let (name, patience) = (name, patience)
        let isStarted = WorkerThread.detach(name: "photo wait") { [weak self] in
            var next = HostTime.now + patience
            while !request.isOver.wait(until: next) {
                guard let self else { return }
                let progress = state.withLock { state in
                    state.waiting.first { $0.request === request }?.progress
                }
                guard let progress else { return }
                next = progress + patience
                if next <= .now { withdraw(request, throwing: tooLate) }
            }
        }
        if !isStarted { withdraw(request, throwing: .noFrame(name, patience)) }
    }
}

extension ObscuraError {
    static func ended(_ name: String) -> ObscuraError {
        ObscuraError(.capture, .notRunning, subject: name, reason: "the source of the output has ended")
    }

    fileprivate static func noFrame(_ name: String, _ patience: Duration) -> ObscuraError {
        ObscuraError(
            .capture, .timedOut, subject: name, reason: "no frame arrived within \(patience)",
            remedy: .diagnose)
    }
}
