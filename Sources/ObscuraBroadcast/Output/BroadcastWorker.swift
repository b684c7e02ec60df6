// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// The encoder thread of a broadcast, its queue, and its destinations.
final class BroadcastWorker: Sendable {
    private struct State: EncodingState {
        var isEnding = false
        /// Whether the samples that still wait are dropped, because nothing can be sent any more.
        var dropsWaiting = false
        /// The error that ended the broadcast.
        var failure: ObscuraError?
        var hasBegun = false
        var activeSenders: Int
        var wantsKeyFrame = false
        var lastWish: HostTime?
        var governor: BitRateController?
        var nextLook = HostTime.now
        var statistics = BroadcastStatistics()

        func check(_ sample: MediaSample) throws(ObscuraError) {
            if let failure { throw failure }
            guard !isEnding else {
                throw ObscuraError(.broadcast, .invalidState, subject: "broadcast", reason: "it has already ended")
            }
        }
    }

    /// `Sendable` is safe because only jobs on the queue's single thread use the encoder.
    private struct Confined: @unchecked Sendable {
        let encoder: LiveEncoder
    }

    /// Minimum interval between key frames that destinations request, regardless of their number.
    private static let keyFramePause = Duration.milliseconds(500)
    /// Maximum time for the encoder, and then for each destination, to end.
    static let patience = Duration.seconds(2)
    /// The same for a movie, which must have every frame.
    private static let moviePatience = Duration.seconds(600)

    private let destinations: [BroadcastDestination]
    private let queue: EncodingQueue<State>
    private let confined: Confined
    private let settings: BroadcastSettings
    /// Whether compressed samples are appended.
    private let copies: (video: Bool, audio: Bool)
    private let senders: Lock<[DestinationSender]>
    private let patience: Duration
    private let announce: @Sendable (BroadcastEvent) -> Void
    /// Whether the encoders have ended, or will not end.
    private let isFlushed = Lock(false)
    /// Whether the end was announced.
    private let hasEnded = Lock(false)

    /// - Parameters:
    ///   - metrics: the metrics of the output.
    ///   - depth: number of frames that may wait for the encoder.
    ///   - patience: maximum time for the encoder, and then for each destination except movies, to end.
    ///   - announce: receives the events, on any thread; must not block.
    init(
        _ destinations: [BroadcastDestination], settings: BroadcastSettings, hasVideo: Bool, metrics: DeliveryMetrics,
        depth: Int, patience: Duration = BroadcastWorker.patience,
        announce: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(ObscuraError) {
        self.settings = settings
        self.destinations = destinations
        self.patience = patience
        self.announce = announce
        confined = Confined(encoder: try LiveEncoder(settings, hasVideo: hasVideo))
        copies = (settings.copiesVideo, settings.copiedAudio != nil)
        queue = EncodingQueue(
            State(activeSenders: destinations.count), name: "broadcast", domain: .broadcast, subject: "broadcast",
            depth: depth)
        senders = Lock([])
        let handlers = DestinationSender.Handlers(
            onEvent: announce,
            needsKeyFrame: { [weak self] in self?.queue.withState { $0.wantsKeyFrame = true } },
            onEnd: { [weak self] in self?.senderEnded() })
        let made = destinations.map {
            DestinationSender($0, settings: settings, hasVideo: hasVideo, handlers: handlers, metrics: metrics)
        }
        senders.withLock { $0 = made }
    }

    deinit {
        // The broadcast was not ended explicitly, and this is the last opportunity.
        for sender in senders.withLock({ $0 }) { sender.finish(until: .now) }
    }

    var statistics: BroadcastStatistics {
        var statistics = queue.withState { $0.statistics }
        statistics.destinations = senders.withLock { $0 }.map(\.statistics)
        return statistics
    }

    // MARK: Samples

    nonisolated(nonsending) func append(_ sample: MediaSample) async throws(ObscuraError) {
        try await queue.append(sample) { [self] in encode($0) }
    }

    func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        let isTaken = try queue.append(sample, until: deadline) { [self] in encode($0) }
        if !isTaken { queue.withState { $0.statistics.countLate(sample) } }
        return isTaken
    }

    // MARK: The thread

    private func encode(_ sample: MediaSample) {
        let isWanted = queue.withState { state in
            guard state.failure == nil else { return false }
            if state.dropsWaiting { state.statistics.countLate(sample) }
            return !state.dropsWaiting
        }
        guard isWanted else { return }
        do throws(ObscuraError) {
            guard sample.isEncoded == (sample.isVideo ? copies.video : copies.audio) else {
                throw ObscuraError(
                    .broadcast, .invalidState, subject: "broadcast",
                    reason: sample.isEncoded
                        ? "the broadcast encodes its \(sample.mediaType.rawValue), but a compressed sample was appended"
                        : "the broadcast copies \(sample.mediaType.rawValue), but an uncompressed sample was appended",
                    advice: "See BroadcastSettings.copiesVideo and copiedAudio.")
            }
            if sample.isVideo { adapt() }
            let packets = try confined.encoder.append(sample, isKey: takeKeyFrameWish)
            try beginIfDue()
            send(packets)
        } catch {
            end(error)
        }
    }

    /// Sends what the encoders still hold; the last job.
    private func flush() {
        defer { isFlushed.withLockSignalling { $0 = true } }
        guard queue.withState({ $0.hasBegun && $0.failure == nil && !$0.dropsWaiting }) else { return }
        do throws(ObscuraError) {
            try send(confined.encoder.finish())
        } catch {
            queue.withState { $0.failure = $0.failure ?? error }
        }
    }

    private func send(_ packets: [EncodedPacket]) {
        let senders = senders.withLock { $0 }
        for packet in packets {
            for sender in senders { sender.send(packet) }
        }
        note(packets)
    }

    private func beginIfDue() throws(ObscuraError) {
        guard let streams = confined.encoder.streams, !queue.withState({ $0.hasBegun }) else { return }
        // Before the begin, since the end reports the error to destinations that were not begun.
        if let codec = streams.video?.codec, !settings.supports(codec, for: destinations) {
            throw .unsupported(codec)
        }
        queue.withState { state in
            state.hasBegun = true
            state.statistics.startTime = confined.encoder.startTime
            state.statistics.size = streams.video?.size
            let video = confined.encoder.encodedVideo
            state.statistics.videoEncoder = video?.encoderName
            state.statistics.targetBitRate = video?.bitRate
            if settings.adaptsBitRate, video?.encoder?.adaptsBitRate == true, let bitRate = video?.bitRate {
                state.governor = BitRateController(highest: bitRate, share: settings.lowestBitRate)
            }
        }
        for sender in senders.withLock({ $0 }) { sender.begin(streams) }
    }

    private func takeKeyFrameWish() -> Bool {
        queue.withState { state in
            let now = HostTime.now
            guard state.wantsKeyFrame, state.lastWish.map({ now - $0 >= Self.keyFramePause }) ?? true else {
                return false
            }
            state.wantsKeyFrame = false
            state.lastWish = now
            return true
        }
    }

    private func note(_ packets: [EncodedPacket]) {
        let duration = confined.encoder.duration
        queue.withState { state in
            state.statistics.duration = duration
            for packet in packets where packet.isVideo {
                state.statistics.encodedFrames += 1
                state.statistics.encodeDelay = .now - packet.hostTime
            }
        }
    }

    /// Sets the bit rate that the slowest destination can sustain.
    private func adapt() {
        let now = HostTime.now
        let governor = queue.withState { state -> BitRateController? in
            guard let governor = state.governor, now >= state.nextLook else { return nil }
            state.nextLook = now + BitRateController.interval
            return governor
        }
        guard var governor else { return }
        let backlog = senders.withLock { $0 }.compactMap(\.backlog).max()
        let bitRate = governor.look(at: now, queue: backlog)
        queue.withState { state in
            state.governor = governor
            if let bitRate { state.statistics.targetBitRate = bitRate }
        }
        guard let bitRate else { return }
        confined.encoder.encodedVideo?.encoder?.setBitRate(bitRate)
        announce(.bitRate(bitRate))
    }

    // MARK: The end

    /// Ends the broadcast after a failure.
    private func end(_ failure: ObscuraError) {
        let isFirst = queue.update { state in
            defer { state.failure = state.failure ?? failure }
            return state.failure == nil && !state.isEnding
        }
        // The frames sent so far are completed.
        if isFirst { finish {} }
    }

    /// Ends the broadcast if no destination is left.
    private func senderEnded() {
        let isLast = queue.withState { state in
            state.activeSenders -= 1
            return state.activeSenders == 0 && !state.isEnding
        }
        guard isLast else { return }
        let last = senders.withLock { $0 }.compactMap(\.statistics.lastError).last
        end(last ?? ObscuraError(.broadcast, .connectionLost, subject: "broadcast", reason: "all destinations failed"))
    }

    /// Sends or discards the waiting packets, and then calls `done`. Does not wait. If the broadcast is already ending,
    /// `done` is called after that end.
    ///
    /// - Parameter reason: the error to report, unless the broadcast has failed.
    func finish(because reason: ObscuraError? = nil, then done: @escaping @Sendable () -> Void) {
        // Not on the encoder's thread, because this waits for its jobs.
        let finishing: @Sendable () -> Void = { [self] in
            finishBlocking(because: reason)
            done()
        }
        if !WorkerThread.detach(name: "end-broadcast", finishing) { finishing() }
    }

    private func finishBlocking(because reason: ObscuraError?) {
        let isFirst = queue.update { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        // Its time is limited by the waits below.
        guard isFirst else { return hasEnded.wait { $0 ? () : nil } ?? () }
        queue.run { [self] in flush() }
        waitForEncoders(until: .now + patience)
        let senders = senders.withLock { $0 }
        let movies = senders.filter { $0.destination.kind == .movie }
        let live = senders.filter { $0.destination.kind != .movie }
        let deadline = HostTime.now + patience
        for sender in live { sender.finish(until: deadline) }
        if !movies.isEmpty { waitForEncoders(until: .now + Self.moviePatience) }
        queue.withState { $0.dropsWaiting = true }
        // The encoder only has to finish its current sample.
        waitForEncoders(until: .now + patience)
        for sender in movies { sender.finish(until: deadline) }
        for sender in live { _ = sender.join(until: deadline + patience) }
        // Completing a movie may take much longer.
        for sender in movies { _ = sender.join(until: .now + Self.moviePatience) }
        let (hasBegun, failure) = queue.withState { ($0.hasBegun, $0.failure ?? reason) }
        if !hasBegun {
            let cause =
                failure
                ?? ObscuraError(
                    .broadcast, .invalidState, subject: "broadcast",
                    reason: "it ended before its first frame or audio buffer")
            for sender in senders { sender.failUnbegun(cause) }
        }
        announce(.finished(failure))
        hasEnded.withLockSignalling { $0 = true }
    }

    /// Waits until all samples are encoded, and the encoders have ended.
    private func waitForEncoders(until deadline: HostTime) {
        _ = isFlushed.wait(until: deadline) { $0 ? true : nil }
    }
}

extension BroadcastStatistics {
    fileprivate mutating func countLate(_ sample: MediaSample) {
        if sample.isVideo { lateFrames += 1 } else { lateAudioBuffers += 1 }
    }
}
