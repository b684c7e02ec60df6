// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// One destination of a broadcast: its queue, its thread, and its connection, which is reopened when it is lost.
///
///     connecting ──accepted──► sending ──lost──► waiting ──time──► connecting
///         │                       │
///         └─rejected─► failed     └─the broadcast has ended, and everything is sent──► ended
///
/// The first attempt decides, unless the server may become available later. A destination that was connected once is
/// retried: a restarted server can reject connections for a while, and a folder can be missing or full for a while.
///
/// Only this thread blocks on the destination; ``send(_:)`` never blocks.
final class DestinationSender: Sendable {
    /// The callbacks to the broadcast, called on the sender's thread without a lock held.
    struct Handlers: Sendable {
        var onEvent: @Sendable (BroadcastEvent) -> Void
        /// A new connection is open, which must start with a key frame.
        var needsKeyFrame: @Sendable () -> Void
        /// The destination has ended: nothing more is sent.
        var onEnd: @Sendable () -> Void
    }

    /// Connects to a destination; blocks until the control's deadline at most.
    typealias Opening = @Sendable (EncodedStreams, ReadControl) -> Result<any BroadcastTransport, ObscuraError>

    private struct State {
        var queue: SendQueue
        var statistics: BroadcastStatistics.Destination
        /// Whether there is a connection for which packets are queued.
        var isOpen = false
        /// The deadline for sending the waiting packets after the end of the broadcast; nil before the end.
        var end: HostTime?
        /// The bytes that this connection was given.
        var sentBytes = SentBytes()
        /// Whether a packet is being passed to the network, which may take long.
        var isSending = false
        /// The path, and the time at which it was looked at.
        var path: NetworkPath?
        var lookedAt = HostTime.now
        var congestedUntil: HostTime?
        var attempt: ReadControl?
        /// Start time of the current or the last connection.
        var connectedAt: HostTime?

        /// The duration of the data that the network has not sent yet. If the source pauses, it becomes shorter.
        var unsentTime: Duration {
            guard let unsent = path?.unsentTime else { return .zero }
            let pause = queue.isEmpty && !isSending ? .now - lookedAt - DestinationSender.pathInterval : .zero
            return max(.zero, unsent - max(.zero, pause))
        }

        /// Changes the queue, and counts the frames that it drops.
        mutating func changeQueue(_ change: (inout SendQueue) -> Void) {
            let before = queue.droppedFrames
            change(&queue)
            statistics.droppedFrames += queue.droppedFrames - before
        }
    }

    /// The limits for a movie, which is not live: packets are kept while a disk is slow.
    private static let movieLimits = SendQueue.Limits(
        duration: MediaTime(value: 60, timescale: 1), byteCount: 256 << 20)
    private static let liveBytes = 64 << 20
    /// Interval between readings of the network state.
    private static let pathInterval = Duration.milliseconds(250)

    let destination: BroadcastDestination
    private let settings: BroadcastSettings
    private let handlers: Handlers
    private let open: Opening
    private let state: Lock<State>
    /// Rates of sent bytes and sent frames.
    private let bytes = RateMeter()
    private let frames = RateMeter()
    private let delivery: DeliveryRecorder
    private let thread = Lock<WorkerThread?>(nil)

    /// - Parameters:
    ///   - metrics: the metrics of the output, which all destinations share.
    ///   - open: connects to the destination, on the sender's thread; nil uses the destination's own function.
    init(
        _ destination: BroadcastDestination, settings: BroadcastSettings, hasVideo: Bool, handlers: Handlers,
        metrics: DeliveryMetrics, open: Opening? = nil
    ) {
        self.destination = destination
        delivery = DeliveryRecorder(metrics)
        self.open = open ?? destination.opening(settings)
        self.settings = settings
        self.handlers = handlers
        let limits =
            destination.kind == .movie
            ? Self.movieLimits
            : SendQueue.Limits(duration: MediaTime(settings.queueLimit), byteCount: Self.liveBytes)
        state = Lock(
            State(
                queue: SendQueue(limits: limits, hasVideo: hasVideo),
                statistics: .init(name: destination.name, kind: destination.kind)))
    }

    /// Starts connecting, because the streams are known. Until then packets are queued only for destinations without a
    /// remote server: frames that wait for a server would stay late.
    func begin(_ streams: EncodedStreams) {
        if destination.target.needsNobody { state.withLock { $0.isOpen = true } }
        let started = WorkerThread(name: "send-\(destination.kind.rawValue)") { [self] in run(streams) }
        thread.withLock { $0 = started }
        guard started == nil else { return }
        fail(.outOfMemory(.broadcast, destination.name))
        handlers.onEnd()
    }

    /// Ends a destination that was not begun, because of the error.
    func failUnbegun(_ error: ObscuraError) {
        guard thread.withLock({ $0 == nil }), !hasFailed else { return }
        fail(error)
    }

    /// Queues or drops a packet. Never blocks.
    func send(_ packet: EncodedPacket) {
        state.withLockSignalling { state in
            guard state.isOpen else {
                if packet.isVideo, state.statistics.state != .failed {
                    state.statistics.droppedFrames += 1
                }
                return
            }
            state.changeQueue { $0.add(packet) }
        }
    }

    /// Ends the sending: waiting packets are sent until the deadline. A movie receives all of them.
    func finish(until deadline: HostTime) {
        let end = destination.kind == .movie ? HostTime(nanoseconds: .max) : deadline
        state.withLockSignalling { $0.end = end }
        // A connection attempt in progress is cancelled.
        state.withLock { $0.isOpen ? nil : $0.attempt }?.cancel()
    }

    /// Waits for the thread until the deadline at most. Returns whether it ended.
    func join(until deadline: HostTime) -> Bool {
        guard let thread = thread.withLock({ $0 }) else { return true }
        if thread.join(until: deadline) { return true }
        state.withLock { $0.attempt }?.cancel()
        return thread.join(until: .now + .milliseconds(500))
    }

    var hasFailed: Bool { state.withLock { $0.statistics.state == .failed } }

    /// The duration that is queued; nil without a connection, and for a movie, which has no real-time requirement.
    var backlog: Duration? {
        guard destination.kind != .movie else { return nil }
        return state.withLock { state in
            guard state.isOpen else { return nil }
            if let until = state.congestedUntil, until > .now { return .seconds(1) }
            return state.queue.duration.duration + state.unsentTime
        }
    }

    var statistics: BroadcastStatistics.Destination {
        state.withLock { state in
            var statistics = state.statistics
            statistics.bitRate = 8 * bytes.rate(count: UInt64(statistics.byteCount))
            statistics.frameRate = frames.rate(count: UInt64(statistics.sentFrames))
            statistics.queue = state.queue.duration.duration + state.unsentTime
            statistics.roundTrip = state.path?.roundTrip
            statistics.delivery = delivery.statistics
            return statistics
        }
    }

    // MARK: The thread

    private func run(_ streams: EncodedStreams) {
        defer { handlers.onEnd() }
        var backoff = ReconnectBackoff()
        while !isOver || mustStillOpen {
            let begin = HostTime.now
            do throws(ObscuraError) {
                try serve(streams, timeout: backoff.timeout(settings.connectTimeout))
                return end(.ended)
            } catch {
                if isOver { return endEarly(error) }
                let isFirst = state.withLock { $0.statistics.connectionCount == 0 }
                let mayComeBack = !isFirst || (error.mayPass && destination.startsWhenAvailable)
                guard destination.target.isPatient, mayComeBack else { return fail(error) }
                let connected = state.withLock { $0.connectedAt }
                backoff.note(attemptOf: (connected ?? .now) - begin, connectionOf: connected.map { .now - $0 })
                wait(backoff.wait(chance: .random(in: 0...1)), after: error)
            }
        }
        endEarly(nil)
    }

    /// Connects, and sends until the end or a failure.
    private func serve(_ streams: EncodedStreams, timeout: Duration) throws(ObscuraError) {
        let control = ReadControl()
        state.withLock { state in
            state.connectedAt = nil
            state.attempt = control
            state.statistics.state = .connecting
        }
        defer {
            state.withLock { state in
                state.isOpen = false
                state.changeQueue { $0.restart() }
                state.path = nil
                (state.sentBytes, state.isSending) = (SentBytes(), false)
                state.attempt = nil
            }
        }
        if isOver, !mustStillOpen { throw .cancelled(.broadcast, destination.name) }
        // A listener waits indefinitely for a caller.
        if !destination.target.isListener { control.setDeadline(.now + timeout) }
        let transport = try open(streams, control).get()
        control.setDeadline(nil)
        let wasOpen = state.withLock { state in
            defer { state.isOpen = true }
            state.connectedAt = .now
            state.statistics.connectionCount += 1
            state.statistics.state = .sending
            return state.isOpen
        }
        if !wasOpen { handlers.needsKeyFrame() }
        handlers.onEvent(.connected(destination))
        var nextLook = HostTime.now
        while let packet = nextPacket() {
            do throws(ObscuraError) {
                try transport.send(packet)
            } catch {
                if packet.isVideo { state.withLock { $0.statistics.droppedFrames += 1 } }
                throw error
            }
            note(packet)
            try checkMovie()
            if transport.takeKeyFrameWish() { handlers.needsKeyFrame() }
            guard HostTime.now >= nextLook else { continue }
            note(transport.path)
            state.withLock { $0.statistics.viewerCount = transport.viewerCount }
            nextLook = .now + Self.pathInterval
        }
        control.setDeadline(.now + .seconds(2))
        try transport.finish()
    }

    /// A movie with missing frames is incomplete and therefore fails.
    private func checkMovie() throws(ObscuraError) {
        guard destination.kind == .movie, state.withLock({ $0.statistics.droppedFrames > 0 }) else { return }
        throw ObscuraError(
            .broadcast, .notWritable, subject: destination.name,
            reason: "frames were lost because the disk was too slow for a minute",
            advice: "Write to a faster disk, or record at a lower bit rate.")
    }

    /// Waits for the next packet; nil at the end of the broadcast.
    private func nextPacket() -> EncodedPacket? {
        // A connection that was lost while idle is noticed with the next packet.
        let packet = state.wait { state -> EncodedPacket?? in
            if let end = state.end, end <= .now || state.queue.isEmpty { return .some(nil) }
            guard let packet = state.queue.take() else { return nil }
            state.isSending = true
            return packet
        }
        return packet ?? nil
    }

    private func note(_ packet: EncodedPacket) {
        delivery.record(packet, destination.target.isFile ? .written : .sent)
        let (byteCount, sentFrames) = state.withLock { state in
            state.isSending = false
            state.sentBytes.add(packet.byteCount, at: .now)
            state.statistics.byteCount += Int64(packet.byteCount)
            if packet.isVideo {
                state.statistics.sentFrames += 1
                state.statistics.delay = .now - packet.hostTime
            }
            return (state.statistics.byteCount, state.statistics.sentFrames)
        }
        bytes.rate(count: UInt64(byteCount))
        if packet.isVideo { frames.rate(count: UInt64(sentFrames)) }
    }

    /// Handles messages dropped by the protocol like a long queue: the rest of that group of pictures cannot be
    /// decoded.
    private func note(_ path: NetworkPath?) {
        let hasLost = state.withLock { state in
            var path = path
            let wait = state.sentBytes.wait(ofLast: path?.unsentBytes ?? 0, at: .now)
            if path?.unsentTime == nil { path?.unsentTime = wait }
            defer { (state.path, state.lookedAt) = (path, .now) }
            guard let path, path.lostMessages > state.path?.lostMessages ?? 0 else { return false }
            let isNew = state.congestedUntil.map { $0 <= .now } ?? true
            if isNew { state.changeQueue { $0.restart() } }
            state.congestedUntil = .now + .seconds(1)
            return isNew
        }
        if hasLost { handlers.needsKeyFrame() }
    }

    private func wait(_ time: Duration, after error: ObscuraError) {
        state.withLock { state in
            state.statistics.state = .waiting
            state.statistics.lastError = error
        }
        handlers.onEvent(.waiting(destination, error, time))
        _ = state.wait(until: .now + time) { $0.end == nil ? nil : true }
    }

    /// Whether packets wait for a file that has not been created yet: a broadcast may end before this thread has begun.
    private var mustStillOpen: Bool {
        destination.target.needsNobody && state.withLock { $0.statistics.connectionCount == 0 && !$0.queue.isEmpty }
    }

    private var isOver: Bool { state.withLock { $0.end != nil } }

    /// Ends without a connection after the end of the broadcast. A server that never accepted the stream and an
    /// incomplete file are failures; a listener without a caller is not.
    private func endEarly(_ error: ObscuraError?) {
        let (count, last) = state.withLock { ($0.statistics.connectionCount, $0.statistics.lastError) }
        let cause = error.flatMap { $0.code == .cancelled ? nil : $0 } ?? last
        if destination.target.isFile, let cause { return fail(cause) }
        guard count == 0, !destination.target.isListener else { return end(.ended, error) }
        end(
            .failed,
            cause
                ?? ObscuraError(
                    .broadcast, .timedOut, subject: destination.name,
                    reason: "the server had not answered when the broadcast ended"))
    }

    private func fail(_ error: ObscuraError) {
        end(.failed, error)
        handlers.onEvent(.failed(destination, error))
    }

    private func end(_ last: BroadcastStatistics.State, _ error: ObscuraError? = nil) {
        state.withLock { state in
            state.statistics.state = last
            if state.statistics.viewerCount != nil { state.statistics.viewerCount = 0 }
            if let error, error.code != .cancelled { state.statistics.lastError = error }
        }
    }
}

extension BroadcastTarget {
    /// Whether a lost connection is retried. Not for a movie, which would stay incomplete.
    fileprivate var isPatient: Bool { kind != .movie }
}
