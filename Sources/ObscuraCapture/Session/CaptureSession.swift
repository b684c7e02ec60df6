// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Metrics
internal import ObscuraBase
public import ObscuraMedia

/// A session that runs cameras and microphones and delivers their frames to outputs.
///
/// ```swift
/// let session = CaptureSession()
/// let output = VideoDataOutput(pixelFormat: .bgra)
/// try await session.configure {
///     try $0.addInput(CaptureDeviceInput(device: camera))
///     try $0.addOutput(output)
/// }
/// try await session.start()
/// for try await frame in output.frames { … }
/// ```
///
/// Thread-safe. Operations that wait for a device run in order on the session's own thread.
public final class CaptureSession: Sendable {
    struct State {
        var machine = SessionStateMachine()
        var graph = SessionGraph()
        /// The result of the last check of the graph.
        var plan = SessionGraph.Plan()
        var sources: [RunningSource] = []
        /// The most recently ended sources, kept for their statistics.
        var formerSources: [CaptureSource] = []
        /// Running callbacks of removed outputs.
        var leaving: [any RunningCallback] = []
        /// Inputs for which the user has granted permission.
        var granted: Set<CaptureDeviceInput> = []
        /// Callers that wait for the outcome of an attempt to start.
        var starters: [(attempt: Int, continuation: CheckedContinuation<Outcome?, Never>)] = []
        /// Runs being opened, so that a stop can cancel them.
        var opening: [any CaptureRun] = []
        /// The file that notes what the drivers deliver.
        var trace: TraceWriter?
        /// The sinks of the devices that are open or being opened.
        var sinks: [TracedSink.Weak] = []
    }

    /// The outcome of an attempt to start.
    typealias Outcome = Result<Void, ObscuraError>

    let clock: any CaptureClock
    let control = WorkerPool(name: "session", threads: 1)
    let state = Lock(State())
    let listeners = EventListeners<SessionEvent>()
    /// The quality at which the cameras run; see ``SessionPreset``.
    public typealias Preset = SessionPreset

    /// The metrics system at the creation of the session.
    let metricsFactory = MetricsSystem.factory
    static let logger = Logger(label: "obscura.session")
    /// The maximum time that a stop waits for running callbacks.
    static let patience = Duration.seconds(2)

    /// Creates a session without inputs and outputs.
    ///
    /// - Parameter clock: The clock of sources without hardware, such as movies and the test pattern.
    public init(clock: any CaptureClock = SystemClock()) {
        self.clock = clock
    }

    /// Creates a session with an initial output.
    package convenience init(clock: any CaptureClock, output: CaptureOutput) {
        self.init(clock: clock)
        state.withLock { _ = try? $0.graph.add(output) }
        output.connections.forEach { $0.belong(to: self) }
    }

    deinit {
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        for output in outputs { _ = output.sessionWillStop() }
        for source in sources { source.abandon() }
        // Closing the devices may take a while; the caller does not wait for it.
        control.async { RunningSource.stop(sources) }
    }

    // MARK: State

    /// The inputs, in the order in which they were added.
    public var inputs: [CaptureDeviceInput] { state.withLock { $0.graph.inputs } }
    /// The outputs, in the order in which they were added.
    public var outputs: [CaptureOutput] { state.withLock { $0.graph.outputs } }
    /// The preset that selects the modes of the cameras.
    public var preset: Preset { state.withLock { $0.graph.preset } }
    /// Whether the devices run.
    public var isRunning: Bool { state.withLock { $0.machine.isRunning } }

    /// Returns the actual video format of an input; nil if the input is not running or supplies no video.
    public func activeFormat(of input: CaptureDeviceInput) -> VideoFormat? {
        state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source.input == input }?.format.video : nil
        }
    }

    /// Returns the actual audio format of an input; nil if the input is not running or supplies no audio.
    public func activeAudioFormat(of input: CaptureDeviceInput) -> AudioFormat? {
        state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source.input == input }?.format.audio : nil
        }
    }

    /// A new stream of the events of the session, beginning at the time of access. A loop that is more than 64 events
    /// behind loses the oldest events.
    public var events: AsyncStream<SessionEvent> { listeners.makeStream() }

    /// Counts of received, delivered, skipped and dropped frames. All counts in one ``SessionLedger/Reader/frames`` are
    /// taken at the same moment.
    public var ledger: SessionLedger {
        let (sources, former, outputs) = state.withLock { ($0.sources, $0.formerSources, $0.graph.outputs) }
        let readers = outputs.flatMap(\.connections).flatMap { connection in
            let readers = connection.allReaders
            return readers.attached.map { SessionLedger.Reader($0, of: connection, isAttached: true) }
                + readers.former.map { SessionLedger.Reader($0, of: connection, isAttached: false) }
        }
        return SessionLedger(
            inputs: sources.map { SessionLedger.Input($0.source, isRunning: !$0.source.hasEnded) }
                + former.map { SessionLedger.Input($0, isRunning: false) },
            readers: readers, destinations: outputs.flatMap { ($0 as? any CompositeOutput)?.destinations ?? [] })
    }

    // MARK: Configuration

    /// Returns the reason why the input cannot be added; nil if it can be added.
    public func refusal(of input: CaptureDeviceInput) -> ObscuraError? {
        refusal { try $0.addInput(input) }
    }

    /// Returns the reason why the output cannot be added; nil if it can be added.
    public func refusal(of output: CaptureOutput) -> ObscuraError? {
        refusal { try $0.addOutput(output) }
    }

    /// Whether the input can be added. If false, ``refusal(of:)-(CaptureDeviceInput)`` returns the reason.
    public func canAddInput(_ input: CaptureDeviceInput) -> Bool { refusal(of: input) == nil }

    /// Whether the output can be added. If false, ``refusal(of:)-(CaptureOutput)`` returns the reason.
    public func canAddOutput(_ output: CaptureOutput) -> Bool { refusal(of: output) == nil }

    /// Changes the session atomically: either all changes take effect, or none.
    ///
    /// While the session runs, a change that requires no restart of a device takes effect between two frames. A new
    /// camera is opened before the old camera is closed; other cameras continue to deliver frames. If a device rejects
    /// its new mode, its old mode is restored and the error is thrown.
    ///
    /// - Throws: ``ObscuraError``. After an error, the session is unchanged. Exception: if a device also rejects its
    ///   old mode, the device ends with ``SessionEvent/runtimeError(_:_:)``. Errors of other types that `change` throws
    ///   are wrapped in an ``ObscuraError``.
    ///
    /// - Parameter change: A closure that makes the changes. Called on the session's thread; called again after the
    ///   user has granted permission for a camera.
    nonisolated(nonsending) public func configure(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void
    ) async throws(ObscuraError) {
        while let unasked = try await control.run({ [self] in
            Result { () throws(ObscuraError) in try commit(change) }
        }).get() {
            guard await ask(unasked) else { throw .notAuthorized(unasked.device) }
        }
    }

    /// Does the same as ``configure(_:)``, without waiting; an error is reported as ``SessionEvent/refused(_:)``.
    ///
    /// - Parameter completion: Called with the outcome on the session's thread.
    package func configureSoon(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void,
        completion: @escaping @Sendable (ObscuraError?) -> Void
    ) {
        control.async { [self] in
            do throws(ObscuraError) {
                if let unasked = try commit(change) { throw .notAuthorized(unasked.device) }
                completion(nil)
            } catch {
                completion(error)
                listeners.send(.refused(error))
            }
        }
    }

    // MARK: Running

    /// Opens the devices and starts the delivery of frames. If the session is paused, resumes the session. If another
    /// start is in progress, waits for that start. If the session runs, does nothing.
    ///
    /// - Throws: ``ObscuraError``, such as `notAuthorized`, `deviceInUse` or `noSuchDevice`; `cancelled` if the session
    ///   was stopped during the start. After an error no device runs.
    nonisolated(nonsending) public func start() async throws(ObscuraError) {
        try await start { true }
    }

    /// Does the same as ``start()`` if `condition` holds at the moment of the decision; otherwise throws
    /// `cancelled`.
    nonisolated(nonsending) package func start(
        if condition: @escaping @Sendable () -> Bool
    ) async throws(ObscuraError) {
        while true {
            if let outcome = await attempt(if: condition) { return try outcome.get() }
            if isPaused { return try await resume() }
            // A stop is in progress: try again after it.
            await settle()
        }
    }

    /// Stops the delivery of frames and closes the devices.
    ///
    /// After the method has returned, no new callback begins and every loop has ended. Waits for running callbacks, but
    /// not for a callback that itself waits for a stop. The wait ends after two seconds;
    /// ``SessionEvent/stillBusy(_:)`` then names the readers whose callbacks still run. May be called at any time, from
    /// any thread.
    nonisolated(nonsending) public func stop() async {
        await stop { true }
    }

    /// Does the same as ``stop()`` if `condition` holds at the moment of the decision.
    nonisolated(nonsending) package func stop(if condition: @Sendable () -> Bool) async {
        let callback = CallbackContext.current(of: self)
        callback?.beginStop()
        defer { callback?.endStop() }
        let (isAgreed, action, opening) = state.withLock { state in
            let isAgreed = condition()
            return (isAgreed, isAgreed ? state.machine.stop() : .nothing, state.opening)
        }
        guard isAgreed else { return await settle() }
        abandonAttempts()
        // Cancel a start or a change that waits for a device.
        if action != .nothing {
            for run in opening { run.cancel() }
        }
        if action == .close { return await control.run { [self] in closeAll() } }
        // Another stop is in progress, and may not have reached the control thread yet.
        repeat { await settle() } while state.withLock { $0.machine.isEnding }
        // Readers of a source that has ended may still have frames to take.
        await control.run { [self] in
            guard state.withLock({ $0.machine.isStopped }) else { return }
            let outputs = state.withLock { $0.graph.outputs }
            wait(for: outputs.flatMap { $0.sessionWillStop() }, until: .now + Self.patience)
        }
    }

    /// Does the same as ``stop()`` without waiting, if `condition` holds at the moment of the decision.
    package func stopSoon(if condition: @escaping @Sendable () -> Bool) {
        // Cancel an open that waits for a device.
        let opening = state.withLock { state -> [any CaptureRun] in
            guard state.machine.pendingAttempt != nil, condition() else { return [] }
            _ = state.machine.stop()
            return state.opening
        }
        for run in opening { run.cancel() }
        abandonAttempts()
        control.async { [self] in
            // Decided on the control thread, so that no caller can join between the decision and the stop.
            if state.withLock({ condition() ? $0.machine.stop() : .nothing }) == .close { closeAll() }
        }
    }

    /// Waits until no start, stop or change is in progress.
    nonisolated(nonsending) package func settle() async {
        await control.run {}
    }

    /// Sends an event to all listeners.
    package func announce(_ event: SessionEvent) {
        listeners.send(event)
    }
}

extension CaptureConnection {
    /// The session that contains the output.
    var session: CaptureSession? { owner as? CaptureSession }
}
