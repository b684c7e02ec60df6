// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Metrics
internal import ObscuraBase
internal import ObscuraMedia

/// A running input: receives the driver's frames and routes each to the connections of the routing table.
///
/// The table is replaced atomically, between two frames. Runs on the driver's thread; nothing is converted here.
final class CaptureSource: CaptureSink, ConnectionSource {
    private struct State {
        var connections: [CaptureConnection] = []
        /// Connections that receive audio.
        var audioConnections: [CaptureConnection] = []
        /// Whether connections are set; until then the driver's first frame waits.
        var isRouted = false
        var hasReaders = false
        /// Whether a connection keeps frames waiting.
        var isHeld = false
        /// The media that readers take.
        var demand: MediaDemand = []
        /// What the driver delivers compressed beside the rest.
        var encoded = EncodedMedia()
        var isOpen = true
        var hasEnded = false
        /// The error that ended the source early.
        var error: ObscuraError?
        var counts = SourceCounts()
        var audioCounts = AudioCounts()
        /// The counts of compressed frames and packets that the driver delivers beside the rest.
        var encodedCounts = SourceCounts()
        var encodedAudioCount: UInt64 = 0
        var lastTime: MediaTime?
        /// The media whose next frame or buffer is marked as a discontinuity.
        var discontinuities: MediaDemand = []
        /// Whether the device is interrupted.
        var isInterrupted = false
        /// The decoder of inter-coded frames.
        var stage: DecodeStage?

        var allConnections: [CaptureConnection] { connections + audioConnections }

        /// Marks the next frame and the next buffer of sound as discontinuities.
        mutating func breakTimeline() { discontinuities = [.frames, .encodedFrames, .audio, .encodedAudio] }
    }

    let input: CaptureDeviceInput
    /// Pool for the driver's own images; grows with the sum of the readers' limits. Images made by readers use
    /// another pool, so that they never take the camera's buffers.
    let pool: PixelBufferPool
    /// Pool for images made from frames. It allocates beyond its capacity, so that one reader's many images do not
    /// starve another. The readers' limits bound the number of frames from which images can be made.
    let images = PixelBufferPool(capacity: CaptureSource.spareBuffers, isElastic: true)
    private let state = Lock(State())
    private let events = SourceEventQueue()
    private let onEvent: @Sendable (CaptureSource, SourceEvent) -> Void
    private let metrics: SourceMetrics

    /// Buffers in addition to those that readers may hold: for frames that are being filled, converted or queued.
    private static let spareBuffers = 16

    init(
        input: CaptureDeviceInput, metrics factory: any MetricsFactory,
        onEvent: @escaping @Sendable (CaptureSource, SourceEvent) -> Void
    ) {
        self.input = input
        pool = PixelBufferPool(capacity: Self.spareBuffers, copies: images)
        self.onEvent = onEvent
        metrics = SourceMetrics(input.device, factory)
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Marks the next frame, and the next buffer of sound, as a discontinuity.
    func markDiscontinuity() {
        state.withLock { $0.breakTimeline() }
    }

    var counts: SourceCounts { state.withLock { $0.counts } }
    /// The numbers of compressed frames and packets of audio that were received beside the rest.
    var encodedCounts: (frames: UInt64, packets: UInt64) {
        state.withLock { ($0.encodedCounts.received, $0.encodedAudioCount) }
    }
    var encoded: EncodedMedia { state.withLock { $0.encoded } }

    /// Sets what the driver delivers compressed; before the first frame is routed.
    func deliversEncoded(_ encoded: EncodedMedia) {
        state.withLock { $0.encoded = encoded }
    }

    var audioCounts: AudioCounts { state.withLock { $0.audioCounts } }

    /// Sends the events that were queued until the session announced its start.
    func announce() {
        events.announce { onEvent(self, $0) }
    }

    /// Routes frames to these connections only, from the next frame on.
    func route(to connections: [CaptureConnection]) {
        for connection in connections { connection.join(self, input: input) }
        let (hasEnded, error) = state.withLockSignalling { state in
            state.connections = connections.filter { $0.mediaType == .video }
            state.audioConnections = connections.filter { $0.mediaType == .audio }
            state.isRouted = true
            state.isHeld = connections.contains(where: \.holdsSource)
            return (state.hasEnded, state.error)
        }
        fitPool()
        // An output that is connected to an ended source gets its end at once.
        if hasEnded { connections.forEach { $0.finish(throwing: error, from: self) } }
    }

    /// Sizes the pools for the frames that all readers may hold, and that former readers still hold.
    func fitPool() {
        // Counted within the lock, so that the last of two concurrent changes counts.
        state.withLockSignalling { state in
            guard state.isOpen else { return }
            let readers = state.allConnections.flatMap(\.readers)
            let held = readers.reduce(0) { $0 + $1.bufferCount }
            let kept = state.connections.flatMap(\.formerReaders).reduce(0) { $0 + $1.holdings.count }
            pool.capacity = Self.spareBuffers + held + kept
            let beside = state.connections.reduce(0) { sum, connection in
                sum + connection.picturesBesideFrame * connection.readers.reduce(0) { $0 + $1.bufferCount }
            }
            images.capacity = pool.capacity + beside
            state.hasReaders = !readers.isEmpty
            state.demand = state.allConnections.reduce(into: []) { $0.formUnion($1.demand) }
        }
    }

    /// Retires the pools: frames in use are freed on release, and readers that still make images allocate new
    /// memory.
    func retirePools() {
        pool.retire()
        images.retire()
    }

    func fitHolds() {
        // Read within the lock, so that the last of two concurrent changes counts.
        state.withLockSignalling { $0.isHeld = $0.allConnections.contains(where: \.holdsSource) }
    }

    /// Whether frames may pass. A source that is read as fast as its frames are taken waits for the first reader,
    /// so that a loop that begins after the start misses nothing.
    private func isReady(_ state: State) -> Bool {
        state.isRouted && !state.isHeld && (state.hasReaders || input.device.driver.isLive)
    }

    /// Ignores everything the driver sends from now on.
    func close() {
        let stage = state.withLockSignalling { state in
            state.isOpen = false
            state.connections = []
            state.audioConnections = []
            return state.stage
        }
        events.close()
        stage?.close()
    }

    /// Does the same as ``close()``, and discards the frames that readers have not taken.
    func withdraw() {
        let (connections, stage) = state.withLockSignalling { state in
            defer {
                state.connections = []
                state.audioConnections = []
            }
            state.isOpen = false
            return (state.allConnections, state.stage)
        }
        events.close()
        stage?.close()
        for connection in connections { connection.join(nil, input: input) }
    }

    /// Waits until the thread of the decoder has ended or the deadline has passed; call ``close()`` first. Returns
    /// whether it has ended.
    func join(until deadline: HostTime) -> Bool {
        state.withLock { $0.stage }?.join(until: deadline) ?? true
    }

    // MARK: CaptureSink

    func receive(_ frame: consuming VideoFrame, buffersLeft: Int?) {
        if let buffersLeft, buffersLeft < 2 {
            // The driver is short of buffers: its buffer is returned at once, and the readers get a copy.
            guard let copy = try? frame.buffer.copy(in: images) else {
                return lose(frame.sequence, gap: frame.attachments.gap, .outOfBuffers)
            }
            frame = frame.replacing(buffer: copy)
            state.withLock { $0.counts.copied += 1 }
        }
        frame.pool = images
        if let colorSpace = input.colorSpace { frame.picture.colorSpace = colorSpace }
        let arrival = HostTime.now
        if frame.attachments.dequeueTime == nil { frame.attachments.dequeueTime = arrival }
        guard let admitted = admit(frame.sequence, frame.presentationTime, &frame.attachments) else { return }
        let routed = RoutedFrame(frame, arrival: arrival, isBesideEncoded: admitted.isBesideEncoded)
        for connection in admitted.connections { connection.route(routed, from: self) }
    }

    func receive(_ frame: EncodedFrame) {
        var frame = frame
        frame.pool = images
        if let colorSpace = input.colorSpace { frame.colorSpace = colorSpace }
        let arrival = HostTime.now
        if frame.attachments.dequeueTime == nil { frame.attachments.dequeueTime = arrival }
        // Decode times increase even if frames are displayed in another order.
        guard let admitted = admit(frame.sequence, frame.decodeTime, &frame.attachments) else { return }
        guard !frame.format.isInterCoded else { return decode(frame, arrival, for: admitted.connections) }
        let routed = RoutedFrame(frame, arrival: arrival, isBesideEncoded: admitted.isBesideEncoded)
        for connection in admitted.connections { connection.route(routed, from: self) }
    }

    func receive(_ sound: AudioBuffer) {
        var sound = sound
        if sound.attachments.dequeueTime == nil { sound.attachments.dequeueTime = .now }
        let admitted =
            state.wait { state -> (connections: [CaptureConnection], isDiscontinuity: Bool)?? in
                guard state.isOpen else { return .some(nil) }
                guard isReady(state) else { return nil }
                state.audioCounts.receive(sound)
                return (state.audioConnections, state.discontinuities.remove(.audio) != nil)
            } ?? nil
        guard let admitted else { return }
        metrics.receivedSound()
        if admitted.isDiscontinuity { sound.attachments.isDiscontinuity = true }
        for connection in admitted.connections { connection.route(sound, from: self) }
    }

    var wantsAudio: Bool {
        state.wait { state -> Bool? in
            guard state.isOpen else { return false }
            return isReady(state) ? state.demand.contains(.audio) : nil
        } ?? false
    }

    var demand: MediaDemand {
        state.wait { state -> MediaDemand? in
            guard state.isOpen else { return [] }
            return isReady(state) ? state.demand : nil
        } ?? []
    }

    func receiveEncoded(_ frame: EncodedFrame) {
        var frame = frame
        if let colorSpace = input.colorSpace { frame.colorSpace = colorSpace }
        let arrival = HostTime.now
        if frame.attachments.dequeueTime == nil { frame.attachments.dequeueTime = arrival }
        let admitted =
            state.wait { state -> (connections: [CaptureConnection], gap: UInt64, isDiscontinuity: Bool)?? in
                guard state.isOpen else { return .some(nil) }
                guard isReady(state) else { return nil }
                let gap = state.encodedCounts.receive(frame.sequence, gap: frame.attachments.gap)
                return (state.connections, gap, state.discontinuities.remove(.encodedFrames) != nil)
            } ?? nil
        guard let admitted else { return }
        metrics.receivedEncodedFrame()
        frame.attachments.gap = admitted.gap
        if admitted.isDiscontinuity { frame.attachments.isDiscontinuity = true }
        let routed = RoutedFrame(frame, arrival: arrival)
        for connection in admitted.connections { connection.route(encoded: routed, from: self) }
    }

    func receiveEncoded(_ packet: EncodedAudio) {
        var packet = packet
        let admitted =
            state.wait { state -> (connections: [CaptureConnection], isDiscontinuity: Bool)?? in
                guard state.isOpen else { return .some(nil) }
                guard isReady(state) else { return nil }
                state.encodedAudioCount += 1
                return (state.audioConnections, state.discontinuities.remove(.encodedAudio) != nil)
            } ?? nil
        guard let admitted else { return }
        metrics.receivedEncodedSound()
        if admitted.isDiscontinuity { packet.isDiscontinuity = true }
        for connection in admitted.connections { connection.route(packet, from: self) }
    }

    func loseFrame(sequence: UInt64?, gap: UInt64) {
        state.withLock { $0.stage }?.breakChain()
        lose(sequence, gap: gap, .deviceError)
    }

    func interrupted(_ reason: InterruptionReason) {
        state.withLock { $0.isInterrupted = true }
        tell(.interrupted(reason))
    }

    func resumed() {
        state.withLock { state in
            state.breakTimeline()
            state.isInterrupted = false
        }
        tell(.resumed)
    }

    /// Reports an event; events of a closed source are ignored.
    private func tell(_ event: SourceEvent) {
        guard state.withLock({ $0.isOpen }) else { return }
        // The end does not wait: the session closes a source that has ended, and would close its queue.
        if case .ended = event { return events.send(event) { onEvent(self, $0) } }
        if input.device.driver.isLive {
            events.send(event) { onEvent(self, $0) }
        } else {
            events.sendInTurn(event) { onEvent(self, $0) }
        }
    }

    func finish(throwing error: ObscuraError?) {
        // Pending frames are decoded first.
        if let stage = state.withLock({ $0.stage }) { return stage.finish(throwing: error) }
        conclude(throwing: error)
    }

    private func conclude(throwing error: ObscuraError?) {
        let connections =
            state.wait { state -> [CaptureConnection]?? in
                guard state.isOpen, !state.hasEnded else { return .some(nil) }
                guard isReady(state) else { return nil }
                state.hasEnded = true
                state.error = error
                return state.allConnections
            } ?? nil
        guard let connections else { return }
        // The session is informed first: a reader whose loop has ended may start another at once, and must not find
        // the session still running on an ended source.
        tell(.ended(error))
        for connection in connections { connection.finish(throwing: error, from: self) }
    }

    // MARK: Inter-coded frames

    /// Decodes inter-coded frames before they are routed. Must be called before the first frame is routed.
    func decode(with decoder: any FrameDecoder) throws(ObscuraError) {
        let name = input.device.localizedName
        let stage = DecodeStage(
            name: name, decoder: decoder,
            handlers: DecodeStage.Handlers(
                onFrame: { [weak self] in self?.route($0, arrival: $1, completion: $2) },
                onLoss: { [weak self] in self?.omit($0, $1, $2) },
                onEnd: { [weak self] in self?.conclude(throwing: $0) }))
        let isOpen = state.withLock { state in
            state.stage = stage
            return state.isOpen
        }
        guard isOpen else { throw .cancelled(.capture, name) }
        try stage.start()
    }

    /// Passes a frame to the readers of compressed frames and, unless they are the only ones, to the decoder. On the
    /// driver's thread.
    private func decode(_ frame: EncodedFrame, _ arrival: HostTime, for connections: [CaptureConnection]) {
        let routed = RoutedFrame(frame, arrival: arrival)
        for connection in connections { connection.route(encoded: routed, from: self) }
        let stage = state.withLock { $0.stage }
        let readers = connections.flatMap(\.frameReaders)
        if readers.isEmpty, connections.contains(where: \.hasEncodedReaders) {
            // Without any reader the decoder works on, so that the next one need not wait for a key frame.
            stage?.rest()
            return
        }
        guard let stage else {
            // The device announced another format.
            return omit(frame.sequence, frame.presentationTime, .deviceError)
        }
        let isLossless = readers.contains(where: \.isLossless)
        stage.receive(frame, arrival: arrival, waits: isLossless || !input.device.driver.isLive)
    }

    /// Routes a decoded frame. On the decoder's thread.
    private func route(_ frame: VideoFrame, arrival: HostTime, completion: HostTime) {
        var frame = frame
        frame.pool = images
        if let colorSpace = input.colorSpace { frame.picture.colorSpace = colorSpace }
        let routed = RoutedFrame(frame, arrival: completion, decodingBegin: arrival, isBesideEncoded: true)
        for connection in state.withLock({ $0.connections }) { connection.route(routed, from: self) }
    }

    /// Counts a received frame that cannot be decoded.
    private func omit(_ sequence: UInt64, _ time: MediaTime, _ reason: DropReason) {
        let drop = DroppedFrame(sequence: sequence, presentationTime: time, reason: reason, count: 1)
        let connections = state.withLock { state in
            if reason == .deviceError { state.counts.lost += 1 }
            return state.connections
        }
        for connection in connections { connection.omit(drop) }
    }

    // MARK: Statistics

    /// Counts the frame, completes its attachments, and returns its connections, and whether its compressed form is routed
    /// as well; nil when the source has been closed.
    private func admit(
        _ sequence: UInt64, _ time: MediaTime, _ attachments: inout VideoFrame.Attachments
    ) -> (connections: [CaptureConnection], isBesideEncoded: Bool)? {
        let admitted =
            state.wait { state -> ([CaptureConnection], Bool)?? in
                guard state.isOpen else { return .some(nil) }
                guard isReady(state) else { return nil }
                attachments.gap = state.counts.receive(sequence, gap: attachments.gap)
                // A step back in time starts a new timeline, whatever the cause.
                if let last = state.lastTime, time < last { attachments.isDiscontinuity = true }
                if state.discontinuities.remove(.frames) != nil { attachments.isDiscontinuity = true }
                state.lastTime = time
                return (state.connections, state.encoded.isBesidePixels)
            } ?? nil
        if admitted != nil { metrics.receivedFrame(gap: attachments.gap) }
        return admitted
    }

    private func lose(_ sequence: UInt64?, gap: UInt64, _ reason: DropReason) {
        let (connections, drop) = state.withLock { state in
            let drop = DroppedFrame(
                sequence: state.counts.lose(sequence, gap: gap), presentationTime: state.lastTime ?? .zero,
                reason: reason, count: 1)
            return (state.connections, drop)
        }
        metrics.lostFrame()
        for connection in connections { connection.lose(drop) }
    }
}
