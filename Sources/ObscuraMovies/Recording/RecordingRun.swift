// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// One recording of a ``MovieFileOutput``, from its file to its end.
///
/// Pictures and sound come on a queue each, and wait there for the encoder; what comes meanwhile waits in the mailboxes
/// of the two outputs. What the gate decides, and the beginning and the end of a stretch, happen under one lock, so
/// that nothing is appended outside of a stretch.
final class RecordingRun: SampleReceiver {
    private struct State {
        var gate: RecordingGate
        /// Frames and buffers that the gate has let in, and that wait for the encoder.
        var appending = 0
        /// Sound that came before the first picture; of the queue of sound.
        var held: [AudioBuffer] = []
        /// Where the present stretch begins.
        var start = MediaTime.zero
        var nextLookAtDisk = HostTime(nanoseconds: .min)
        var result: RecordingResult?
        var waiting: [CheckedContinuation<RecordingResult, Never>] = []
    }

    /// Where files are made, which may take a while.
    static let preparing = WorkerPool(name: "recording", threads: 1)
    /// How long a closed stretch waits for a track that gives nothing.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// How many times that, at the most, for one that is late and still gives something.
    private static let mostPatience = 15
    /// How long a frame waits for the encoder before that counts as failed.
    private static let encoderPatience = Duration.seconds(20)
    /// How much sound is held before the first picture: what a slow decoder of pictures is late, and more.
    private static let heldBuffers = 256

    private let writer: AssetWriter
    let source: SampleSource
    private let limits: RecordingLimits
    /// The parts before the last one, as they become whole.
    private let parts: Lock<[AssetWriter.Report]>
    private let onEvent: @Sendable (RecordingEvent) -> Void
    private let timers = DispatchQueue(label: "obscura.recording")
    private let state: Lock<State>

    init(
        _ writer: AssetWriter, _ source: SampleSource, limits: RecordingLimits, parts: Lock<[AssetWriter.Report]>,
        onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) {
        self.writer = writer
        self.source = source
        self.limits = limits
        self.parts = parts
        self.onEvent = onEvent
        let tracks = Set([source.hasVideo ? MediaType.video : nil, source.hasAudio ? .audio : nil].compactMap(\.self))
        state = Lock(State(gate: RecordingGate(tracks: tracks, limit: limits.duration)))
    }

    /// Takes what comes from now on.
    func begin() { source.begin(self) }

    var duration: MediaTime { state.withLock { $0.gate.duration } }
    var byteCount: Int64 { writer.progress.byteCount }

    func pause() { close(for: .pause) }

    func stop(for reason: RecordingResult.Reason) { close(for: .finish(reason)) }

    func resume() {
        let wasPaused = state.withLock { $0.gate.phase == .paused || $0.gate.phase == .closing }
        let now = source.isLive ? HostTime.now.mediaTime : nil
        act { $0.resume(at: now) }
        if wasPaused, state.withLock({ $0.gate.phase == .waiting }) { onEvent(.resumed) }
    }

    /// Nothing more comes: ends what is being closed at once.
    func endNow() {
        act { $0.giveUpWaiting() }
    }

    func split(to path: String, metadata: Metadata) throws(ObscuraError) {
        try writer.split(to: path, metadata: metadata)
    }

    /// Waits for the end.
    nonisolated(nonsending) func result() async -> RecordingResult {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    // MARK: What comes

    func receive(_ sample: MediaSample) {
        act(with: sample) { $0.arrive(sample.mediaType, at: sample.presentationTime, lasting: sample.duration) }
        if sample.isVideo || !source.hasVideo { checkFile() }
    }

    func sourceEnded(_ track: MediaType, _ error: ObscuraError?) {
        let gone: RecordingResult.Reason = track == .video ? .cameraGone : .microphoneGone
        if track == .audio, state.withLock({ $0.gate.phase == .recording }) { appendHeldOrFail() }
        act { $0.end(track, for: error == nil ? .sourceEnded : gone) }
    }

    /// Has the gate decide, and does what it says.
    private func act(with sample: MediaSample? = nil, _ decide: (inout RecordingGate) -> [RecordingGate.Action]) {
        // What the other track has been let in with belongs to the stretch, also while it waits for the encoder.
        let (actions, failure, isWaiting) =
            state.wait(until: .now + Self.encoderPatience) { state in
                var gate = state.gate
                let endsStretch = decide(&gate).contains { if case .end = $0 { true } else { false } }
                return endsStretch && state.appending > 0 ? nil : settle(&state, decide)
            } ?? state.withLock { settle(&$0, decide) }
        if isWaiting { limitTheWait() }
        if let failure {
            // The gate may have ended it already: then nobody else would.
            let isOver = actions.contains { if case .finish = $0 { true } else { false } }
            return isOver ? finish(Self.reason(of: failure), failure) : fail(failure)
        }
        for action in actions {
            switch action {
            case .begin:
                // Else the next sound brings what was held before it.
                if !state.withLock({ $0.gate.expects(.audio) }) { appendHeldOrFail() }
                onEvent(.started(path: writer.path))
            case .append:
                appendOrFail(sample)
                state.withLockSignalling { $0.appending -= 1 }
            case .hold: hold(sample)
            case .end(let time): endBehind(actions, at: time)
            case .announcePause: onEvent(.paused)
            case .finish(let reason): finish(reason, nil)
            }
        }
    }

    /// Has the gate decide, and begins and ends stretches in the order of its decisions. Tells what is to be done, what
    /// failed, and whether the end of a stretch is waited for.
    private func settle(
        _ state: inout State, _ decide: (inout RecordingGate) -> [RecordingGate.Action]
    ) -> ([RecordingGate.Action], ObscuraError?, Bool) {
        let closings = state.gate.closings
        let actions = decide(&state.gate)
        let isWaiting = state.gate.closings > closings && state.gate.phase == .closing
        let count = actions.count { if case .append = $0 { true } else { false } }
        do throws(ObscuraError) {
            for action in actions {
                switch action {
                case .begin(let time):
                    try writer.startSession(at: time)
                    state.start = time
                // Else it ends behind what is let in with it; see act(with:_:).
                case .end(let time): if count == 0 { try writer.endSession(at: time) }
                case .append, .hold, .announcePause, .finish: break
                }
            }
        } catch {
            return (actions, error, isWaiting)
        }
        state.appending += count
        return (actions, nil, isWaiting)
    }

    /// Ends a stretch whose last frame came with the decision to end it.
    private func endBehind(_ actions: [RecordingGate.Action], at time: MediaTime) {
        guard actions.contains(.append) else { return }
        do throws(ObscuraError) {
            try writer.endSession(at: time)
        } catch {
            fail(error)
        }
    }

    private func hold(_ sample: MediaSample?) {
        guard case .audio(let sound) = sample else { return }
        state.withLock { state in
            state.held.append(sound)
            if state.held.count > Self.heldBuffers { state.held.removeFirst() }
        }
    }

    private func appendHeldOrFail() {
        do throws(ObscuraError) {
            try appendHeld()
        } catch {
            fail(error)
        }
    }

    private func appendOrFail(_ sample: MediaSample?) {
        guard let sample else { return }
        do throws(ObscuraError) {
            if case .audio = sample { try appendHeld() }
            try append(sample)
        } catch {
            // The stretch has ended while this waited for the encoder: it was too late for it.
            let isOver = state.withLock { $0.gate.phase != .recording && $0.gate.phase != .closing }
            if error.code == .invalidState, isOver { return }
            fail(error)
        }
    }

    /// What was held of the sound, as far as it belongs to the stretch.
    private func appendHeld() throws(ObscuraError) {
        let (held, start) = state.withLock { state in
            defer { state.held.removeAll() }
            return (state.held, state.start)
        }
        for sound in held where sound.presentationTime + sound.duration > start { try append(.audio(sound)) }
    }

    private func append(_ sample: MediaSample) throws(ObscuraError) {
        guard try writer.append(sample, until: .now + Self.encoderPatience) else {
            throw ObscuraError(
                .recording, .encoderFailed, subject: writer.path, reason: "the encoder has taken nothing for 20 s",
                advice: "Record a smaller picture, or with another encoder.")
        }
    }

    /// Whether the file may still grow. Twice a second for the disk, which is a call to the system.
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
        guard isDue, let free = DiskRoom.freeSpace(of: writer.path), free < limits.freeSpace else { return }
        stopNow(.diskFull)
    }

    /// Ends with what has been appended.
    private func stopNow(_ reason: RecordingResult.Reason) {
        act { gate in
            let end = gate.end
            return gate.close(at: end, for: .finish(reason)) + gate.giveUpWaiting()
        }
    }

    /// What was taken up to this moment still belongs to the movie.
    private func close(for purpose: RecordingGate.Closing) {
        let now = HostTime.now.mediaTime
        // A film has no present: it ends where it has come to.
        act { [source] gate in gate.close(at: source.isLive ? now : gate.leaderEnd, for: purpose) }
    }

    /// A track that is silent is not waited for for ever; one that is late is, as long as it comes nearer.
    private func limitTheWait(_ times: Int = mostPatience) {
        let (number, arrivals) = state.withLock { ($0.gate.closings, $0.gate.lateArrivals) }
        timers.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            let isMoving = state.withLock { state in
                state.gate.closings == number && state.gate.phase == .closing && state.gate.lateArrivals > arrivals
            }
            // What the encoder has not come to yet may be all that keeps the rest from coming.
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

    /// Makes the file whole, and tells.
    private func finish(_ reason: RecordingResult.Reason, _ error: ObscuraError?) {
        source.end()
        let duration = duration
        Task { [self] in
            var (report, failure) = (AssetWriter.Report?.none, error)
            do throws(ObscuraError) {
                report = try await writer.finish()
            } catch {
                failure = error
            }
            // What had no room in the last file is not in the movie.
            let isCut = writer.progress.isFull
            let length = isCut ? report.map { $0.start + $0.duration } ?? duration : duration
            let finished = parts.withLock { $0 }
            let result = RecordingResult(
                path: report?.path ?? failure?.usableFile ?? finished.last?.path ?? writer.path,
                reason: failure?.code == .diskFull ? .diskFull : reason,
                duration: length, report: report, parts: finished + [report].compactMap(\.self),
                omittedParts: writer.omittedParts, error: failure)
            onEvent(.finished(result))
            let waiting = state.withLock { state in
                defer { state.waiting.removeAll() }
                state.result = result
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: result) }
        }
    }
}
