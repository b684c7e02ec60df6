// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// One recording of a ``MovieFileOutput``, from creating its file to its end.
///
/// The tracks arrive on separate queues and wait there for the encoder; further samples wait in the mailboxes of
/// the outputs. The decisions of the gate and the start and end of a segment happen under one lock, so that no
/// sample is appended outside of a segment.
final class RecordingRun: SampleReceiver {
    private struct State {
        var gate: RecordingGate
        /// Number of samples that the gate has admitted and that wait for the encoder.
        var appending = 0
        /// Audio that arrived before the first frame, by track; that of a track is used only on its queue.
        var held: [SampleTrack: [MediaSample]] = [:]
        /// The start of the current segment.
        var start = MediaTime.zero
        var nextLookAtDisk = HostTime(nanoseconds: .min)
        /// The time at which the next segment was requested.
        var requested = HostTime.now
        /// The camera that delivered the last frame of the main track.
        var camera: CaptureDevice?
        var switches: [RecordingResult.CameraSwitch] = []
        var result: RecordingResult?
        var waiting: [CheckedContinuation<RecordingResult, Never>] = []
    }

    private typealias Sample = (content: MediaSample, track: SampleTrack)

    /// Creates files, which may take a while.
    static let preparing = WorkerPool(name: "recording", threads: 1)
    /// Time that a closed segment waits for a track that delivers nothing.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// Maximum number of such waits for a late track that is still delivering.
    private static let mostPatience = 15
    /// Maximum time that a frame waits for the encoder before this counts as a failure.
    private static let encoderPatience = Duration.seconds(20)
    /// Maximum time that the stop of a session waits for such a frame.
    private static let stopPatience = Duration.milliseconds(100)
    /// Maximum number of audio buffers that are held before the first frame: more than the delay of a slow video
    /// decoder.
    private static let heldBuffers = 256

    /// Maximum number of camera switches that are listed.
    private static let mostSwitches = 1000

    private let writer: AssetWriter
    let source: SampleSource
    /// The first video track, or the first audio track of a recording without video.
    private let main: SampleTrack
    private let limits: RecordingLimits
    private let copied: CopiedMedia
    private let waits: Lock<[KeyFrameWait]>
    private let delivery: DeliveryRecorder
    private let arrivals: ArrivalReporter
    private let gathering = SampleGathering()
    private let beforeFrame: (@Sendable (MediaTime) -> Void)?
    /// The reports of the parts before the last one, as they are completed.
    private let parts: Lock<[AssetWriter.Report]>
    private let events: RecordingEventQueue
    private let timers = DispatchQueue(label: "obscura.recording")
    private let state: Lock<State>

    init(
        _ writer: AssetWriter, _ source: SampleSource, copying copied: CopiedMedia = CopiedMedia(),
        limits: RecordingLimits, parts: Lock<[AssetWriter.Report]>, waits: Lock<[KeyFrameWait]>,
        delivery: DeliveryRecorder,
        arrivalPatience: Duration = ArrivalReporter.usualPatience,
        beforeFrame: (@Sendable (MediaTime) -> Void)? = nil, onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) {
        self.writer = writer
        self.source = source
        self.copied = copied
        self.limits = limits
        self.parts = parts
        self.waits = waits
        self.delivery = delivery
        self.beforeFrame = beforeFrame
        main = source.tracks.min() ?? SampleTrack(0, .video)
        let gate = RecordingGate(tracks: Set(source.tracks), limit: limits.duration, hasOneSource: source.hasOneInput)
        let state = Lock(State(gate: gate))
        self.state = state
        let events = RecordingEventQueue { event in
            onEvent(event)
            if case .finished(let result) = event { Self.hand(result, to: state) }
        }
        self.events = events
        arrivals = ArrivalReporter(patience: arrivalPatience) { events.send($0) }
    }

    /// Starts receiving samples.
    func begin() {
        let timer = source.isLive && !copied.isEmpty ? gathering.begin() : nil
        source.begin(self, copying: copied, at: timer)
        guard source.isLive else { return }
        arrivals.watch { [weak self] in
            guard let self else { return nil }
            let (phase, duration) = state.withLock { ($0.gate.phase, $0.gate.duration) }
            return (phase, duration, gathering.interval ?? .zero)
        }
    }

    var duration: MediaTime { state.withLock { $0.gate.duration } }
    var byteCount: Int64 { writer.progress.byteCount }
    var path: String { writer.path }
    var deliveryStatistics: DeliveryStatistics { delivery.statistics }

    func pause() { close(for: .pause) }

    func stop(for reason: RecordingResult.Reason) { close(for: .finish(reason)) }

    func resume() {
        let now = HostTime.now
        state.withLock { $0.requested = now }
        act { [source] gate in gate.resume(at: source.isLive ? now.mediaTime : nil) }
    }

    /// Takes the samples that were gathered, before the session discards them.
    func takeGathered() { gathering.flush() }

    /// Finishes a segment that is being closed immediately, because no more samples follow. Waits only briefly for an
    /// encoder or a disk that is behind: then the segment ends later, when they have accepted its samples.
    func endNow() {
        let isIdle = state.wait(until: .now + Self.stopPatience) { $0.appending == 0 ? true : nil } ?? false
        guard isIdle else { return timers.async { [self] in act { $0.giveUpWaiting() } } }
        act { $0.giveUpWaiting() }
    }

    func split(to path: String, metadata: Metadata) throws(ObscuraError) {
        try writer.split(to: path, metadata: metadata)
    }

    /// Appends a text or a location. Returns false if no segment is open at its time.
    nonisolated(nonsending) func append(_ sample: TrackSample) async throws(ObscuraError) -> Bool {
        guard isOpen else { return false }
        do throws(ObscuraError) {
            try await writer.append(sample)
            return true
        } catch {
            // The segment ended meanwhile.
            if error.code == .invalidState, !isOpen { return false }
            throw error
        }
    }

    /// Whether a segment is open.
    private var isOpen: Bool { state.withLock { $0.gate.phase == .recording || $0.gate.phase == .closing } }

    /// Waits for the result.
    nonisolated(nonsending) func result() async -> RecordingResult {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    // MARK: Samples

    func receive(_ sample: MediaSample, of track: SampleTrack) {
        let begin = HostTime.now
        arrivals.begin(track == main ? sample.arrivalTime : nil, at: begin)
        defer { arrivals.end(since: begin) }
        if track != main, sample.isVideo, !source.isLive { waitForBeginning() }
        gathering.note(sample, of: track)
        if track == main, sample.isKey { beforeFrame?(duration) }
        let (camera, time) = track == main && track.isVideo ? (source.camera, duration) : (nil, .zero)
        act(with: (sample, track)) {
            $0.arrive(
                track, at: sample.presentationTime, decodedAt: sample.decodeTime, lasting: sample.duration,
                isKey: sample.isKey)
        }
        if let camera { note(camera, at: time) }
        if track == main { checkFile() }
    }

    func sourceEnded(_ track: SampleTrack, _ error: ObscuraError?) {
        let gone: RecordingResult.Reason = track.isVideo ? .cameraGone : .microphoneGone
        if !track.isVideo, state.withLock({ $0.gate.phase == .recording }) { appendHeldOrFail(track) }
        act { $0.end(track, for: error == nil ? .sourceEnded : gone) }
    }

    /// Notes a change to another camera, if the movie has a frame of it.
    ///
    /// - Parameter time: the recorded duration before its frame.
    private func note(_ camera: CaptureDevice, at time: MediaTime) {
        state.withLock { state in
            guard state.gate.duration > time else { return }
            defer { state.camera = camera }
            guard let before = state.camera, before != camera, time > .zero,
                state.switches.count < Self.mostSwitches
            else { return }
            state.switches.append(RecordingResult.CameraSwitch(time: time, camera: camera.localizedName))
        }
    }

    /// Blocks a film that is read as fast as possible, so that it loses no frames before the first one of the main track.
    private func waitForBeginning() {
        _ = state.wait(until: .now + Self.encoderPatience) { $0.gate.phase == .waiting ? nil : true }
    }

    /// Applies `decide` to the gate, and performs the resulting actions.
    private func act(with sample: Sample? = nil, _ decide: (inout RecordingGate) -> [RecordingGate.Action]) {
        // Admitted samples of the other tracks belong to the segment, even while they wait for the encoder.
        let (actions, failure, isWaiting) =
            state.wait(until: .now + Self.encoderPatience) { state in
                var gate = state.gate
                let endsStretch = decide(&gate).contains { if case .end = $0 { true } else { false } }
                return endsStretch && state.appending > 0 ? nil : settle(&state, decide)
            } ?? state.withLock { settle(&$0, decide) }
        if isWaiting { limitTheWait() }
        if let failure {
            // If the gate has already ended the recording, no later call would finish it.
            let isOver = actions.contains { if case .finish = $0 { true } else { false } }
            return isOver ? finish(Self.reason(of: failure), failure) : fail(failure)
        }
        for action in actions {
            switch action {
            case .begin:
                // Otherwise the next audio buffer appends the held ones.
                for track in source.tracks where !track.isVideo && !state.withLock({ $0.gate.expects(track) }) {
                    appendHeldOrFail(track)
                }
                events.deliver()
            case .append:
                appendOrFail(sample)
                state.withLockSignalling { $0.appending -= 1 }
            case .hold: hold(sample)
            case .end(let time): endBehind(actions, at: time)
            case .announcePause, .announceResumption: events.deliver()
            case .finish(let reason): finish(reason, nil)
            }
        }
    }

    /// Applies `decide` to the gate, and starts and ends segments in the order of its decisions. Returns the actions,
    /// the failure, and whether to wait for the end of a segment.
    private func settle(
        _ state: inout State, _ decide: (inout RecordingGate) -> [RecordingGate.Action]
    ) -> ([RecordingGate.Action], ObscuraError?, Bool) {
        let (closings, before) = (state.gate.closings, state.gate.duration)
        let actions = decide(&state.gate)
        gathering.isUrgent = state.gate.phase == .waiting || state.gate.phase == .closing
        let isWaiting = state.gate.closings > closings && state.gate.phase == .closing
        let count = actions.count { if case .append = $0 { true } else { false } }
        do throws(ObscuraError) {
            for action in actions {
                switch action {
                case .begin(let time):
                    try writer.startSession(at: time)
                    state.start = time
                    noteWait(for: time, since: state.requested, at: before)
                    events.add(.started(path: writer.path))
                // Otherwise the segment ends after the samples admitted with it; see act(with:_:).
                case .end(let time): if count == 0 { try writer.endSession(at: time) }
                case .announcePause: events.add(.paused)
                case .announceResumption: events.add(.resumed)
                case .append, .hold, .finish: break
                }
            }
        } catch {
            return (actions, error, isWaiting)
        }
        state.appending += count
        return (actions, nil, isWaiting)
    }

    /// Ends a segment whose last frame arrived with the decision to end it.
    private func endBehind(_ actions: [RecordingGate.Action], at time: MediaTime) {
        guard actions.contains(.append) else { return }
        do throws(ObscuraError) {
            try writer.endSession(at: time)
        } catch {
            fail(error)
        }
    }

    /// Notes how long a segment waited for its key frame, if frames are copied.
    private func noteWait(for start: MediaTime, since requested: HostTime, at position: MediaTime) {
        guard !copied.video.isEmpty, source.isLive else { return }
        let wait = HostTime(nanoseconds: start.nanoseconds) - requested
        waits.withLock { waits in
            guard waits.count < KeyFrameWait.mostListed else { return }
            waits.append(KeyFrameWait(end: position, duration: max(.zero, wait)))
        }
    }

    private func hold(_ sample: Sample?) {
        guard let sample else { return }
        state.withLock { state in
            var held = state.held[sample.track] ?? []
            held.append(sample.content)
            if held.count > Self.heldBuffers { held.removeFirst() }
            state.held[sample.track] = held
        }
    }

    private func appendHeldOrFail(_ track: SampleTrack) {
        do throws(ObscuraError) {
            try appendHeld(track)
        } catch {
            fail(error)
        }
    }

    private func appendOrFail(_ sample: Sample?) {
        guard let sample else { return }
        do throws(ObscuraError) {
            if !sample.track.isVideo { try appendHeld(sample.track) }
            try append(sample.content, sample.track)
        } catch {
            // The segment ended while this sample waited for the encoder, so it came too late.
            if error.code == .invalidState, !isOpen { return }
            fail(error)
        }
    }

    /// Appends the held audio that belongs to the segment.
    private func appendHeld(_ track: SampleTrack) throws(ObscuraError) {
        let (held, start) = state.withLock { ($0.held.removeValue(forKey: track) ?? [], $0.start) }
        // A packet that ends at the start may contain the priming of the first one.
        for sound in held where sound.presentationTime + (sound.duration ?? .zero) >= start {
            try append(sound, track)
        }
    }

    private func append(_ sample: MediaSample, _ track: SampleTrack) throws(ObscuraError) {
        guard try writer.append(sample, to: track.index, until: .now + Self.encoderPatience) else {
            throw ObscuraError(
                .recording, .encoderFailed, subject: writer.path, reason: "the encoder has accepted no data for 20 s",
                advice: "Use a smaller frame size or another encoder.")
        }
    }

    /// Checks whether the file may still grow. Checks the disk twice a second, because that takes a system call.
    private func checkFile() {
        if let limit = limits.fileSize {
            let progress = writer.progress
            if progress.isFull || progress.expectedByteCount >= limit { return stopNow(.maximumFileSize) }
        }
        let isDue = state.withLock { state in
            guard state.gate.phase == .recording, HostTime.now >= state.nextLookAtDisk else { return false }
            state.nextLookAtDisk = .now + .milliseconds(500)
            return true
        }
        guard isDue, !DiskRoom.shared.keepsFree(limits.freeSpace, of: writer.path) else { return }
        stopNow(.diskFull)
    }

    /// Ends the recording with the samples appended so far.
    private func stopNow(_ reason: RecordingResult.Reason) {
        act { gate in
            let end = gate.end
            return gate.close(at: end, for: .finish(reason)) + gate.giveUpWaiting()
        }
    }

    /// Closes the segment; samples received up to now belong to the movie.
    private func close(for purpose: RecordingGate.Closing) {
        let now = HostTime.now.mediaTime
        // A movie has no current time: it ends at its last sample.
        act { [source] gate in gate.close(at: source.isLive ? now : gate.leaderEnd, for: purpose) }
    }

    /// Limits the wait for a track: a silent one is not waited for indefinitely, a late one only while it delivers
    /// samples.
    private func limitTheWait(_ times: Int = mostPatience) {
        let (number, arrivals) = state.withLock { ($0.gate.closings, $0.gate.lateArrivals) }
        timers.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            let isMoving = state.withLock { state in
                state.gate.closings == number && state.gate.phase == .closing && state.gate.lateArrivals > arrivals
            }
            // Samples that wait for the encoder may block the remaining ones.
            if isMoving || writer.progress.waitingCount > 0, times > 1 { return limitTheWait(times - 1) }
            act { $0.closings == number ? $0.giveUpWaiting() : [] }
        }
    }

    // MARK: The end

    private func fail(_ error: ObscuraError) {
        let reason = Self.reason(of: error)
        guard !state.withLock({ $0.gate.fail(reason) }).isEmpty else { return }
        finish(reason, error)
    }

    private static func reason(of error: ObscuraError) -> RecordingResult.Reason {
        switch error.code {
        case .diskFull: .diskFull
        case .encoderFailed, .encoderUnavailable: .encoderFailed
        default: .writingFailed
        }
    }

    /// The reason of a recording that ended for `reason`, and whose encoder or disk failed before all was written.
    private static func reason(
        of error: ObscuraError, after reason: RecordingResult.Reason
    ) -> RecordingResult.Reason {
        let cause = Self.reason(of: error)
        return cause == .writingFailed ? reason : cause
    }

    /// Completes the file, and reports the result.
    private func finish(_ reason: RecordingResult.Reason, _ error: ObscuraError?) {
        // A film may wait for the beginning, which does not come any more.
        state.withLockSignalling { _ in }
        source.end()
        gathering.end()
        let duration = duration
        Task { [self] in
            var (report, failure) = (AssetWriter.Report?.none, error)
            do throws(ObscuraError) {
                report = try await writer.finish()
            } catch {
                failure = error
            }
            // Samples that exceeded the size limit are not in the movie.
            let isCut = writer.progress.isFull
            let length = isCut ? report.map { $0.start + $0.duration } ?? duration : duration
            let finished = parts.withLock { $0 }
            let result = RecordingResult(
                path: report?.path ?? failure?.usableFile ?? finished.last?.path ?? writer.path,
                reason: failure.map { Self.reason(of: $0, after: reason) } ?? reason,
                duration: length, report: report, parts: finished + [report].compactMap(\.self),
                omittedParts: writer.omittedParts, gaps: arrivals.gaps,
                keyFrameWaits: waits.withLock { $0 }, cameraSwitches: state.withLock { $0.switches },
                delivery: delivery.statistics, error: failure)
            events.send(.finished(result))
        }
    }

    /// Ends the waits for the result, after its event: who has it can begin the next recording.
    private static func hand(_ result: RecordingResult, to state: Lock<State>) {
        let waiting = state.withLock { state in
            defer { state.waiting.removeAll() }
            state.result = result
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
