// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Starts a session: requests permission, opens the devices, and resumes the callers that wait.
extension CaptureSession {
    /// Begins an attempt to start: requests permission where needed, then opens the devices on the control thread.
    func begin(_ attempt: Int) {
        let unasked = inputs.filter { !isAllowed($0) }
        guard !unasked.isEmpty else { return control.async { [self] in open(attempt, refused: nil) } }
        // Only the wait for the user runs on the concurrency executor; all else runs on the control thread.
        Task { [self] in
            var refused: CaptureDeviceInput?
            for input in unasked where refused == nil {
                if await !ask(input) { refused = input }
            }
            control.async { [self, refused] in open(attempt, refused: refused) }
        }
    }

    func open(_ attempt: Int, refused: CaptureDeviceInput?) {
        let action = state.withLock { $0.machine.authorized(attempt: attempt, isGranted: refused == nil) }
        guard action == .open else {
            return conclude(
                attempt, .failure(refused.map { .notAuthorized($0.device) } ?? .cancelled(.capture, "session")))
        }
        conclude(attempt, Result { () throws(ObscuraError) in try openAll() })
    }

    /// Whether the input may be opened without requesting permission.
    func isAllowed(_ input: CaptureDeviceInput) -> Bool {
        input.device.authorizationStatus == .authorized || state.withLock { $0.granted.contains(input) }
    }

    nonisolated(nonsending) func ask(_ input: CaptureDeviceInput) async -> Bool {
        guard input.device.authorizationStatus == .notDetermined else { return isAllowed(input) }
        guard await input.device.driver.requestAccess() else { return false }
        state.withLock { _ = $0.granted.insert(input) }
        return true
    }

    /// Begins an attempt to start, or joins the pending one, and waits for its outcome; nil while the session is
    /// being stopped or an attempt is being cancelled: then the caller must begin a new attempt.
    nonisolated(nonsending) func attempt(if condition: @escaping @Sendable () -> Bool) async -> Outcome? {
        await withCheckedContinuation { continuation in
            // The continuation is stored before the attempt begins, since the attempt, and even the session, may be
            // over before this thread goes on.
            let (action, outcome) = state.withLock { state -> (SessionStateMachine.Action, Outcome??) in
                guard condition() else { return (.nothing, .failure(.cancelled(.capture, "session"))) }
                let action = state.machine.start()
                if state.machine.isRunning { return (action, .success(())) }
                guard !state.machine.isEnding, let pending = state.machine.pendingAttempt else {
                    return (action, .some(nil))
                }
                state.starters.append((pending, continuation))
                return (action, nil)
            }
            if case .authorize(let attempt) = action { begin(attempt) }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    func conclude(_ attempt: Int, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            defer { state.starters.removeAll { $0.attempt == attempt } }
            return state.starters.filter { $0.attempt == attempt }
        }
        for starter in waiting { starter.continuation.resume(returning: outcome) }
    }

    /// Resumes callers that wait for an attempt that was stopped while the user was being asked.
    func abandonAttempts() {
        let abandoned = state.withLock { state in
            let pending = state.machine.pendingAttempt
            return Set(state.starters.map(\.attempt).filter { $0 != pending })
        }
        for attempt in abandoned { conclude(attempt, .failure(.cancelled(.capture, "session"))) }
    }

    func openAll() throws(ObscuraError) {
        let graph = state.withLock { $0.graph }
        let (plan, sources): (SessionGraph.Plan, [RunningSource])
        do throws(ObscuraError) {
            plan = try graph.plan()
            for output in graph.outputs { output.sessionWillStart() }
            sources = try openInputs(graph.inputs, plan)
            adopt(sources, plan)
        } catch {
            let wasCancelled = state.withLock { state in
                defer { _ = state.machine.opened(false) }
                return state.machine.isEnding
            }
            throw wasCancelled ? .cancelled(.capture, "session") : error
        }
        switch state.withLock({ $0.machine.opened(true) }) {
        case .announceStart:
            // Before the first frame: a delegate that stops the session then stops one that has started.
            listeners.send(.started)
            route(sources, plan)
            for source in sources { source.source.announce() }
        case .close:
            closeAll()
            throw .cancelled(.capture, "session")
        default: break
        }
        closeIfAllEnded()
    }

    /// Opens all inputs, or none.
    func openInputs(
        _ inputs: [CaptureDeviceInput], _ plan: SessionGraph.Plan
    ) throws(ObscuraError) -> [RunningSource] {
        var sources: [RunningSource] = []
        do throws(ObscuraError) {
            for input in inputs { sources.append(try open(input, plan.requests[input] ?? RunRequest())) }
        } catch {
            RunningSource.close(sources)
            throw error
        }
        return sources
    }

    func open(_ input: CaptureDeviceInput, _ request: RunRequest) throws(ObscuraError) -> RunningSource {
        let source = CaptureSource(input: input, metrics: metricsFactory) { [weak self] source, event in
            self?.handle(event, of: source)
        }
        let sink = TracedSink(source, of: input.device, copies: source.images)
        // A trace that begins while the device is being opened finds the sink.
        let trace = state.withLock { state in
            state.sinks.removeAll { $0.sink == nil }
            state.sinks.append(TracedSink.Weak(sink))
            return state.trace
        }
        if let trace { sink.begin(trace) }
        let run = input.device.driver.makeRun(request, sink: sink, clock: clock)
        state.withLock { $0.opening.append(run) }
        defer { state.withLock { state in state.opening.removeAll { $0 === run } } }
        if state.withLock({ $0.machine.isEnding }) { throw .cancelled(.capture, "session") }
        guard isAllowed(input) else { throw .notAuthorized(input.device) }
        // Before the start: while a decoder is loaded, the first key frame would be dropped.
        let requested = request.videoFormat.flatMap { $0.pixelFormat.isInterCoded ? $0 : nil }
        var prepared: (any FrameDecoder)?
        if let requested { prepared = try input.device.driver.makeDecoder(for: requested) }
        do {
            let actual = try run.start()
            sink.started(actual)
            if let video = actual.video, video.pixelFormat.isInterCoded {
                let decoder = video == requested ? prepared : try input.device.driver.makeDecoder(for: video)
                guard let decoder else { throw ObscuraError.noDecoder(video.pixelFormat, input.device) }
                try source.decode(with: decoder)
            }
            source.deliversEncoded(
                EncodedMedia(
                    video: actual.encodedVideo ?? actual.video.flatMap { VideoCodec(format: $0.pixelFormat) },
                    isBesidePixels: actual.encodedVideo != nil, audio: actual.encodedAudio))
            return RunningSource(source: source, sink: sink, run: run, request: request, format: actual)
        } catch {
            source.close()
            run.stop()
            throw ObscuraError(wrapping: error, as: .capture, .deviceFailed, subject: input.device.localizedName)
        }
    }

    /// Handles an event of a source. On the driver's or the session's thread: must not block.
    func handle(_ event: SourceEvent, of source: CaptureSource) {
        let device = source.input.device
        switch event {
        case .interrupted(let reason):
            listeners.send(.interrupted(device, reason))
            if reason == .deviceDisconnected { handleDisconnection(of: source) }
        case .resumed: listeners.send(.interruptionEnded(device))
        case .ended(let error):
            if let error { listeners.send(.runtimeError(device, error)) }
            control.async { [weak self] in self?.closeIfAllEnded() }
        }
    }
}

extension ObscuraError {
    fileprivate static func noDecoder(_ format: PixelFormat, _ device: CaptureDevice) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: device.localizedName,
            reason: "the driver has no decoder for \(format.rawValue) frames",
            advice: "Choose another format of the camera.")
    }
}
