// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
public import ObscuraMedia

/// Runs cameras and hands their frames to outputs.
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
/// Thread-safe. Whatever waits for a device runs on a thread of the session's own, in order.
public final class CaptureSession: Sendable {
    struct State {
        var machine = SessionStateMachine()
        var graph = SessionGraph()
        /// What the graph came to when it was last checked.
        var plan = SessionGraph.Plan()
        var sources: [RunningSource] = []
        /// The last sources that ran and do not any more, for their accounts.
        var formerSources: [CaptureSource] = []
        /// Callbacks of outputs that have left, as long as they run.
        var leaving: [any RunningCallback] = []
        /// Inputs for which the user has said yes.
        var granted: Set<CaptureDeviceInput> = []
        /// Who waits for the outcome of which attempt to start.
        var starters: [(attempt: Int, continuation: CheckedContinuation<Outcome?, Never>)] = []
        /// Runs that are being opened, so that a stop can cancel them.
        var opening: [any CaptureRun] = []
    }

    /// How an attempt to start ended.
    typealias Outcome = Result<Void, ObscuraError>

    let clock: any CaptureClock
    let control = WorkerPool(name: "session", threads: 1)
    let state = Lock(State())
    let listeners = EventListeners<SessionEvent>()
    /// See ``SessionPreset``.
    public typealias Preset = SessionPreset

    static let logger = Logger(label: "obscura.session")
    /// How long a stop waits for callbacks that run.
    static let patience = Duration.seconds(2)

    /// - Parameter clock: by which sources without hardware keep time.
    public init(clock: any CaptureClock = SystemClock()) {
        self.clock = clock
    }

    /// A session that has an output from its beginning.
    package convenience init(clock: any CaptureClock, output: any SessionOutput) {
        self.init(clock: clock)
        state.withLock { _ = try? $0.graph.add(output) }
        output.connections.forEach { $0.belong(to: self) }
    }

    deinit {
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        for output in outputs { _ = output.sessionWillStop() }
        for source in sources { source.abandon() }
        // Waiting for the devices may take a while, and nobody waits for this.
        control.async { RunningSource.stop(sources) }
    }

    // MARK: What there is

    /// The cameras, in the order in which they were added.
    public var inputs: [CaptureDeviceInput] { state.withLock { $0.graph.inputs } }
    /// The outputs, in the order in which they were added.
    public var outputs: [any CaptureOutput] { state.withLock { $0.graph.outputs } }
    /// Which mode the cameras run in.
    public var preset: Preset { state.withLock { $0.graph.preset } }
    /// Whether the devices run.
    public var isRunning: Bool { state.withLock { $0.machine.isRunning } }

    /// The format in which an input really runs; nil when it does not run.
    public func activeFormat(of input: CaptureDeviceInput) -> VideoFormat? {
        state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source.input == input }?.format.video : nil
        }
    }

    /// The form in which an input really gives sound; nil when it does not run, or gives none.
    public func activeAudioFormat(of input: CaptureDeviceInput) -> AudioFormat? {
        state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source.input == input }?.format.audio : nil
        }
    }

    /// What happens to the session, from now on. Each loop gets all of it; one that is more than 64 events
    /// behind loses the oldest.
    public var events: AsyncStream<SessionEvent> { listeners.makeStream() }

    /// Where every frame went. Exact for each reader at the moment of the call.
    public var ledger: SessionLedger {
        let (sources, former, outputs) = state.withLock { ($0.sources, $0.formerSources, $0.graph.outputs) }
        let readers = outputs.flatMap(\.connections).flatMap { connection in
            let readers = connection.allReaders
            return readers.attached.map { SessionLedger.Reader($0, of: connection, isAttached: true) }
                + readers.former.map { SessionLedger.Reader($0, of: connection, isAttached: false) }
        }
        return SessionLedger(
            inputs: sources.map { SessionLedger.Input($0.source, isRunning: !$0.source.hasEnded) }
                + former.map { SessionLedger.Input($0, isRunning: false) }, readers: readers)
    }

    // MARK: Changing it

    /// Why the input cannot be added; nil when it can.
    public func refusal(of input: CaptureDeviceInput) -> ObscuraError? {
        refusal { try $0.addInput(input) }
    }

    /// Why the output cannot be added; nil when it can.
    public func refusal(of output: any CaptureOutput) -> ObscuraError? {
        refusal { try $0.addOutput(output) }
    }

    /// Whether the input can be added; ``refusal(of:)`` tells why not.
    public func canAddInput(_ input: CaptureDeviceInput) -> Bool { refusal(of: input) == nil }

    /// Whether the output can be added; ``refusal(of:)`` tells why not.
    public func canAddOutput(_ output: any CaptureOutput) -> Bool { refusal(of: output) == nil }

    /// Changes the session all at once or not at all.
    ///
    /// While it runs, a change that needs no restart takes effect between two frames. Another camera is
    /// opened before the first one is closed; its readers, and only they, go over. When a device refuses
    /// its new mode, it runs in the old one again, and the error is thrown.
    ///
    /// - Throws: ``ObscuraError``; then nothing has changed. What `change` throws is wrapped as one.
    ///
    /// - Parameter change: may be called again, when the user had to be asked about a camera first.
    nonisolated(nonsending) public func configure(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void
    ) async throws(ObscuraError) {
        while let unasked = try await control.run({ [self] in
            Result { () throws(ObscuraError) in try commit(change) }
        }).get() {
            guard await ask(unasked) else { throw .notAuthorized(unasked.device) }
        }
    }

    /// As ``configure(_:)``, without waiting: a refusal comes as ``SessionEvent/refused(_:)``.
    ///
    /// - Parameter completion: told what became of it, on the session's thread.
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

    // MARK: Running it

    /// Opens the devices and starts the frames. Does nothing if the session runs; if it is starting, waits
    /// for the same outcome; if it is paused, resumes it.
    ///
    /// - Throws: ``ObscuraError``: `notAuthorized`, `deviceInUse`, `noSuchDevice`, `cancelled` when it was
    ///   stopped meanwhile, and others. Then nothing runs.
    nonisolated(nonsending) public func start() async throws(ObscuraError) {
        try await start { true }
    }

    /// As ``start()``, if `condition` holds at the moment at which it is decided; else throws `cancelled`.
    nonisolated(nonsending) package func start(
        if condition: @escaping @Sendable () -> Bool
    ) async throws(ObscuraError) {
        while true {
            if let outcome = await attempt(if: condition) { return try outcome.get() }
            if isPaused { return try await resume() }
            // A stop is under way: look again when it is done.
            await settle()
        }
    }

    /// Stops the frames and closes the devices.
    ///
    /// After it returns, no new callback begins and every loop is at its end. It waits for callbacks that
    /// run, for at most two seconds (then ``SessionEvent/stillBusy(_:)`` names them), but not for the one it
    /// is called from. May be called at any time, by anybody, from anywhere.
    nonisolated(nonsending) public func stop() async {
        await stop { true }
    }

    /// As ``stop()``, if `condition` holds at the moment at which it is decided.
    nonisolated(nonsending) package func stop(if condition: @Sendable () -> Bool) async {
        let caller = CallbackContext.current
        let (isAgreed, action, opening) = state.withLock { state in
            let isAgreed = condition()
            return (isAgreed, isAgreed ? state.machine.stop() : .nothing, state.opening)
        }
        guard isAgreed else { return await settle() }
        abandonAttempts()
        // A start or a change that waits for a device waits no longer.
        if action != .nothing {
            for run in opening { run.cancel() }
        }
        if action == .close { return await control.run { [self] in closeAll(calledFrom: caller) } }
        // Somebody else is at it, and may still be on the way to the control thread.
        repeat { await settle() } while state.withLock { $0.machine.isEnding }
        // Readers of a source at its end may still have frames to take.
        await control.run { [self] in
            guard state.withLock({ $0.machine.isStopped }) else { return }
            let outputs = state.withLock { $0.graph.outputs }
            wait(for: outputs.flatMap { $0.sessionWillStop() }, until: .now + Self.patience, calledFrom: caller)
        }
    }

    /// As ``stop()``, without waiting, if `condition` holds when it is decided: for whoever leaves.
    package func stopSoon(if condition: @escaping @Sendable () -> Bool) {
        // An open that waits for a device waits no longer.
        let opening = state.withLock { state -> [any CaptureRun] in
            guard state.machine.pendingAttempt != nil, condition() else { return [] }
            _ = state.machine.stop()
            return state.opening
        }
        for run in opening { run.cancel() }
        abandonAttempts()
        control.async { [self] in
            // Decided here, where nobody can join between the decision and the stop.
            if state.withLock({ condition() ? $0.machine.stop() : .nothing }) == .close { closeAll(calledFrom: nil) }
        }
    }

    /// Waits until no start, stop or change is under way.
    nonisolated(nonsending) package func settle() async {
        await control.run {}
    }

    /// Tells everybody who listens.
    package func announce(_ event: SessionEvent) {
        listeners.send(event)
    }
}

extension CaptureConnection {
    /// The session that the output is in.
    var session: CaptureSession? { owner as? CaptureSession }
}
