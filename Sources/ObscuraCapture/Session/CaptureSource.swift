// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Metrics
internal import ObscuraBase
internal import ObscuraMedia

/// One running input: takes the driver's frames and hands each to the connections of the routing table.
///
/// The table is swapped in one step, between two frames. On the driver's thread; nothing is converted here.
final class CaptureSource: CaptureSink, ConnectionSource {
    private struct State {
        var connections: [CaptureConnection] = []
        /// Where sound goes.
        var audioConnections: [CaptureConnection] = []
        /// Before it is routed, the driver's first frame waits.
        var isRouted = false
        var hasReaders = false
        /// Whether any of them takes sound.
        var hasAudioReaders = false
        var isOpen = true
        var hasEnded = false
        /// Why it ended early.
        var error: ObscuraError?
        var counts = SourceCounts()
        var audioCounts = AudioCounts()
        var lastTime: MediaTime?
        var markDiscontinuity = false
        /// Whether no frames come for a while.
        var isInterrupted = false
        /// For frames that refer to others.
        var stage: DecodeStage?

        var allConnections: [CaptureConnection] { connections + audioConnections }
    }

    let input: CaptureDeviceInput
    /// Memory for the driver's own pictures; grows with the sum of the readers' limits. Nothing else lies
    /// there, so that what readers make of their frames never takes the camera's room.
    let pool: PixelBufferPool
    /// Memory for what is made of the frames. One reader's many images must not starve another: beyond its
    /// capacity it takes new memory. The readers' limits bound the frames of which images can be made.
    let images = PixelBufferPool(capacity: CaptureSource.spareBuffers, isElastic: true)
    private let state = Lock(State())
    private let events = SourceEventQueue()
    private let onEvent: @Sendable (CaptureSource, SourceEvent) -> Void
    private let received: Counter

    /// Buffers beyond those that readers may hold: what is being filled, converted or waits.
    private static let spareBuffers = 16

    init(input: CaptureDeviceInput, onEvent: @escaping @Sendable (CaptureSource, SourceEvent) -> Void) {
        self.input = input
        pool = PixelBufferPool(capacity: Self.spareBuffers, copies: images)
        self.onEvent = onEvent
        received = Counter(label: "obscura.frames.received", dimensions: [("device", input.device.uniqueID)])
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// The next frame does not follow the ones before it.
    func markDiscontinuity() {
        state.withLock { $0.markDiscontinuity = true }
    }

    var counts: SourceCounts { state.withLock { $0.counts } }
    var audioCounts: AudioCounts { state.withLock { $0.audioCounts } }

    /// The session has announced that it runs: what the device told before that is announced as well.
    func announce() {
        events.announce { onEvent(self, $0) }
    }

    /// Has frames go to these connections, and to them alone, from the next one on.
    func route(to connections: [CaptureConnection]) {
        for connection in connections { connection.join(self, input: input) }
        let (hasEnded, error) = state.withLockSignalling { state in
            state.connections = connections.filter { $0.mediaType == .video }
            state.audioConnections = connections.filter { $0.mediaType == .audio }
            state.isRouted = true
            return (state.hasEnded, state.error)
        }
        fitPool()
        // An output that joins a source at its end has nothing to wait for.
        if hasEnded { connections.forEach { $0.finish(throwing: error) } }
    }

    /// The pools hold at least what all readers may hold, and what former readers still hold.
    func fitPool() {
        // Counted within the lock, so that of two changes at once the last one counts.
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
            state.hasAudioReaders = state.audioConnections.contains { !$0.readers.isEmpty }
        }
    }

    /// Frames that are still out come home to nobody; what readers still make of them takes new memory.
    func retirePools() {
        pool.retire()
        images.retire()
    }

    /// Whether frames may go on. A source that is read as fast as it is taken waits for somebody to take:
    /// a loop that begins after the start misses nothing.
    private func isReady(_ state: State) -> Bool {
        state.isRouted && (state.hasReaders || input.device.driver.isLive)
    }

    /// Nothing that the driver still says matters any more.
    func close() {
        let stage = state.withLockSignalling { state in
            state.isOpen = false
            state.connections = []
            state.audioConnections = []
            return state.stage
        }
        stage?.close()
    }

    /// As ``close()``, and the readers are done with what it gave.
    func withdraw() {
        let (connections, stage) = state.withLockSignalling { state in
            defer {
                state.connections = []
                state.audioConnections = []
            }
            state.isOpen = false
            return (state.allConnections, state.stage)
        }
        stage?.close()
        for connection in connections { connection.join(nil, input: input) }
    }

    /// Once it is closed, waits for the thread of its decoder, but not past the deadline. Returns whether it
    /// ended.
    func join(until deadline: HostTime) -> Bool {
        state.withLock { $0.stage }?.join(until: deadline) ?? true
    }

    // MARK: CaptureSink

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {
        var frame = frame
        if let buffersLeft, buffersLeft < 2 {
            // The driver must not starve: its buffer goes straight back, and the readers get a copy.
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
        guard let (connections, notes) = admit(frame.sequence, frame.presentationTime, frame.attachments) else {
            return
        }
        frame.attachments = notes
        let routed = RoutedFrame(content: .pixels(frame), arrival: arrival)
        for connection in connections { connection.route(routed, from: self) }
    }

    func receive(_ frame: EncodedFrame) {
        var frame = frame
        frame.pool = images
        if let colorSpace = input.colorSpace { frame.colorSpace = colorSpace }
        let arrival = HostTime.now
        if frame.attachments.dequeueTime == nil { frame.attachments.dequeueTime = arrival }
        // The time of decoding goes forward also where pictures are shown in another order.
        guard let (connections, notes) = admit(frame.sequence, frame.decodeTime, frame.attachments) else { return }
        frame.attachments = notes
        guard !frame.format.isInterCoded else { return decode(frame, arrival, for: connections) }
        let routed = RoutedFrame(content: .encoded(frame), arrival: arrival)
        for connection in connections { connection.route(routed, from: self) }
    }

    func receive(_ sound: AudioBuffer) {
        var sound = sound
        if sound.attachments.dequeueTime == nil { sound.attachments.dequeueTime = .now }
        let connections =
            state.wait { state -> [CaptureConnection]?? in
                guard state.isOpen else { return .some(nil) }
                guard isReady(state) else { return nil }
                state.audioCounts.receive(sound)
                return state.audioConnections
            } ?? nil
        for connection in connections ?? [] { connection.route(sound, from: self) }
    }

    var wantsAudio: Bool {
        state.wait { state -> Bool? in
            guard state.isOpen else { return false }
            return isReady(state) ? state.hasAudioReaders : nil
        } ?? false
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
            state.markDiscontinuity = true
            state.isInterrupted = false
        }
        tell(.resumed)
    }

    /// What is told of a source that has been left nobody hears.
    private func tell(_ event: SourceEvent) {
        guard state.withLock({ $0.isOpen }) else { return }
        events.send(event) { onEvent(self, $0) }
    }

    func finish(throwing error: ObscuraError?) {
        // What came before goes first.
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
        // The session first: whoever's loop has ended may begin another at once, and must not find the session
        // still running on a source that is over.
        tell(.ended(error))
        for connection in connections { connection.finish(throwing: error) }
    }

    // MARK: Frames that refer to others

    /// Has such frames decoded before they are routed. To be called before anything is routed.
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

    /// On the driver's thread.
    private func decode(_ frame: EncodedFrame, _ arrival: HostTime, for connections: [CaptureConnection]) {
        guard let stage = state.withLock({ $0.stage }) else {
            // The device said that it would give something else.
            return omit(frame.sequence, frame.presentationTime, .deviceError)
        }
        let isLossless = connections.contains { $0.readers.contains { $0.isLossless } }
        stage.receive(frame, arrival: arrival, waits: isLossless || !input.device.driver.isLive)
    }

    /// On the thread of the decoder.
    private func route(_ frame: VideoFrame, arrival: HostTime, completion: HostTime) {
        var frame = frame
        frame.pool = images
        if let colorSpace = input.colorSpace { frame.picture.colorSpace = colorSpace }
        let routed = RoutedFrame(content: .pixels(frame), arrival: completion, decodingBegin: arrival)
        for connection in state.withLock({ $0.connections }) { connection.route(routed, from: self) }
    }

    /// Books a frame that came and will never be a picture.
    private func omit(_ sequence: UInt64, _ time: MediaTime, _ reason: DropReason) {
        let drop = DroppedFrame(sequence: sequence, presentationTime: time, reason: reason, count: 1)
        let connections = state.withLock { state in
            if reason == .deviceError { state.counts.lost += 1 }
            return state.connections
        }
        for connection in connections { connection.lose(drop) }
    }

    // MARK: Accounts

    /// Books the frame, and tells where it goes; nil when the source has been left.
    private func admit(
        _ sequence: UInt64, _ time: MediaTime, _ attachments: VideoFrame.Attachments
    ) -> ([CaptureConnection], VideoFrame.Attachments)? {
        received.increment()
        return state.wait { state -> ([CaptureConnection], VideoFrame.Attachments)?? in
            guard state.isOpen else { return .some(nil) }
            guard isReady(state) else { return nil }
            var notes = attachments
            notes.gap = state.counts.receive(sequence, gap: notes.gap)
            // A step back in time is a new timeline, whoever made it.
            if let last = state.lastTime, time < last { notes.isDiscontinuity = true }
            if state.markDiscontinuity { notes.isDiscontinuity = true }
            state.markDiscontinuity = false
            state.lastTime = time
            return (state.connections, notes)
        } ?? nil
    }

    private func lose(_ sequence: UInt64?, gap: UInt64, _ reason: DropReason) {
        let (connections, drop) = state.withLock { state in
            let drop = DroppedFrame(
                sequence: state.counts.lose(sequence, gap: gap), presentationTime: state.lastTime ?? .zero,
                reason: reason, count: 1)
            return (state.connections, drop)
        }
        for connection in connections { connection.lose(drop) }
    }
}
