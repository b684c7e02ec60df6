// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
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
    private struct State {
        var machine = SessionStateMachine()
        var graph = SessionGraph()
        var sources: [RunningSource] = []
        /// Runs that are being opened, so that a stop can cancel them.
        var opening: [any CaptureRun] = []
    }

    private let clock: any CaptureClock
    private let control = WorkerPool(name: "session", threads: 1)
    private let state = Lock(State())
    private let listeners = EventListeners()
    private static let logger = Logger(label: "obscura.session")
    /// How long a stop waits for callbacks that run.
    private static let patience = Duration.seconds(2)

    /// - Parameter clock: by which sources without hardware keep time.
    public init(clock: any CaptureClock = SystemClock()) {
        self.clock = clock
    }

    deinit {
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        for output in outputs { _ = output.sessionWillStop() }
        for source in sources { source.abandon() }
        // Waiting for the devices may take a while, and nobody waits for this.
        control.async { for source in sources { source.run.stop() } }
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
            state.machine.isRunning ? state.sources.first { $0.source.input == input }?.format : nil
        }
    }

    /// What happens to the session, from now on. Each loop gets all of it; one that is more than 64 events
    /// behind loses the oldest.
    public var events: AsyncStream<SessionEvent> { listeners.makeStream() }

    /// Where every frame went. Exact for each reader at the moment of the call.
    public var ledger: SessionLedger {
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        let readers = outputs.map(\.connection).flatMap { connection in
            connection.readers.map { SessionLedger.Reader($0, isAttached: true) }
                + connection.formerReaders.map { SessionLedger.Reader($0, isAttached: false) }
        }
        return SessionLedger(inputs: sources.map { SessionLedger.Input($0.source) }, readers: readers)
    }

    // MARK: Changing it

    /// Why the input cannot be added; nil when it can.
    public func refusal(of input: CaptureDeviceInput) -> CaptureError? {
        refusal { try $0.addInput(input) }
    }

    /// Why the output cannot be added; nil when it can.
    public func refusal(of output: any CaptureOutput) -> CaptureError? {
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
    /// - Throws: ``CaptureError``; then nothing has changed. What `change` throws is wrapped as one.
    nonisolated(nonsending) public func configure(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void
    ) async throws(CaptureError) {
        try await control.run { [self] in
            Result { () throws(CaptureError) in try commit(change) }
        }.get()
    }

    // MARK: Running it

    /// Opens the devices and starts the frames. Does nothing if the session runs or is starting.
    ///
    /// - Throws: ``CaptureError``: `notAuthorized`, `deviceInUse`, `noSuchDevice`, `cancelled` when it was
    ///   stopped meanwhile, and others. Then nothing runs.
    nonisolated(nonsending) public func start() async throws(CaptureError) {
        var action = state.withLock { $0.machine.start() }
        while action == .nothing {
            // Another start or stop is under way. After a stop the session is to run again.
            await settle()
            guard state.withLock({ $0.machine.isStopped || $0.machine.isEnding }) else { return }
            action = state.withLock { $0.machine.start() }
        }
        guard case .authorize(let attempt) = action else { return }
        let refused = await firstRefusal()
        guard state.withLock({ $0.machine.authorized(attempt: attempt, isGranted: refused == nil) }) == .open else {
            throw refused.map { .notAuthorized($0.device) } ?? .cancelled("session")
        }
        try await control.run { [self] in
            Result { () throws(CaptureError) in try openAll() }
        }.get()
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
            wait(for: outputs.flatMap { $0.sessionWillStop() }, calledFrom: caller)
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

// MARK: - On the control thread

extension CaptureSession {
    private func refusal(_ change: (inout Configuration) throws -> Void) -> CaptureError? {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do {
            try change(&configuration)
            _ = try configuration.graph.plan()
            return nil
        } catch {
            return CaptureError(wrapping: error, subject: "session")
        }
    }

    nonisolated(nonsending) private func firstRefusal() async -> CaptureDeviceInput? {
        for input in inputs {
            switch input.device.authorizationStatus {
            case .authorized: continue
            case .denied, .restricted: return input
            case .notDetermined: if await !input.device.driver.requestAccess() { return input }
            }
        }
        return nil
    }

    private func openAll() throws(CaptureError) {
        let graph = state.withLock { $0.graph }
        do throws(CaptureError) {
            let plan = try graph.plan()
            for route in plan.routes { route.output.sessionWillStart() }
            install(try openInputs(of: graph, plan), plan)
        } catch {
            let wasCancelled = state.withLock { state in
                defer { _ = state.machine.opened(false) }
                return state.machine.isEnding
            }
            throw wasCancelled ? .cancelled("session") : error
        }
        switch state.withLock({ $0.machine.opened(true) }) {
        case .announceStart: listeners.send(.started)
        case .close:
            closeAll(calledFrom: nil)
            throw .cancelled("session")
        default: break
        }
        closeIfAllEnded()
    }

    /// Opens all inputs, or none.
    private func openInputs(
        of graph: SessionGraph, _ plan: SessionGraph.Plan
    ) throws(CaptureError) -> [RunningSource] {
        var sources: [RunningSource] = []
        do throws(CaptureError) {
            for input in graph.inputs { sources.append(try open(input, format: plan.formats[input])) }
        } catch {
            for source in sources { source.close() }
            throw error
        }
        return sources
    }

    private func closeAll(calledFrom caller: CallbackContext?) {
        let (sources, outputs) = state.withLock { state in
            defer { state.sources = [] }
            return (state.sources, state.graph.outputs)
        }
        // First nothing new comes, then the readers end (which frees a driver that waits for one), then
        // the drivers end.
        for source in sources { source.source.close() }
        let callbacks = outputs.flatMap { $0.sessionWillStop() }
        for source in sources { source.close() }
        wait(for: callbacks, calledFrom: caller)
        announceStop()
    }

    /// Waits for callbacks that run, and names those that go on for longer than we are patient.
    private func wait(for callbacks: [any RunningCallback], calledFrom caller: CallbackContext?) {
        let deadline = HostTime.now + Self.patience
        let busy = callbacks.filter { !$0.wait(until: deadline, calledFrom: caller) }.map(\.name)
        if !busy.isEmpty {
            Self.logger.warning("stopped while callbacks still run", metadata: ["readers": "\(busy)"])
            listeners.send(.stillBusy(busy))
        }
    }

    /// When every source is at its end the session stops by itself; what the readers have not taken yet
    /// stays theirs.
    private func closeIfAllEnded() {
        let sources = state.withLock { state -> [RunningSource]? in
            guard state.machine.isRunning, !state.sources.isEmpty, state.sources.allSatisfy(\.source.hasEnded),
                state.machine.stop() == .close
            else { return nil }
            return state.sources
        }
        guard let sources else { return }
        for source in sources { source.close() }
        announceStop()
    }

    private func announceStop() {
        if state.withLock({ $0.machine.closed() }) == .announceStop { listeners.send(.stopped) }
    }

    private func commit(_ change: (inout Configuration) throws -> Void) throws(CaptureError) {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do { try change(&configuration) } catch { throw CaptureError(wrapping: error, subject: "session") }
        let graph = configuration.graph
        let plan = try graph.plan()
        let (former, running) = state.withLock { ($0.graph, $0.machine.isRunning ? $0.sources : nil) }
        var retired: [RunningSource] = []
        if let running {
            let exchange = try SourceExchange(from: running, to: graph.inputs, formats: plan.formats) {
                [self] input, format throws(CaptureError) in try open(input, format: format)
            }
            if let error = exchange.error {
                let plan = try former.plan()
                install(exchange.sources, plan)
                end(exchange.failures, plan)
                throw error
            }
            for output in graph.outputs where !former.outputs.contains(where: { $0 === output }) {
                output.sessionWillStart()
            }
            install(exchange.sources, plan)
            retired = exchange.retired
        }
        state.withLock { $0.graph = graph }
        // Readers end before sources do: a source may be waiting for one of them.
        for output in former.outputs where !graph.outputs.contains(where: { $0 === output }) {
            _ = output.sessionWillStop()
            output.connection.join(nil, input: nil)
        }
        for source in retired { source.close() }
        if running == nil {
            for route in plan.routes { route.output.connection.join(nil, input: route.input) }
        }
    }

    /// Tells everybody of devices that could not be brought back; without any device the session stops.
    private func end(
        _ failures: [(input: CaptureDeviceInput, error: CaptureError)], _ plan: SessionGraph.Plan
    ) {
        // A stop that came meanwhile forbade it, and says what there is to say.
        guard state.withLock({ $0.machine.isRunning }) else { return }
        for failure in failures {
            for route in plan.routes where route.input == failure.input {
                route.output.connection.finish(throwing: failure.error)
            }
            listeners.send(.runtimeError(failure.input.device, failure.error))
        }
        let isOver = state.withLock { $0.sources.isEmpty && $0.machine.stop() == .close }
        if isOver { announceStop() }
    }

    /// Routes the frames of these sources, in one step for each connection.
    private func install(_ sources: [RunningSource], _ plan: SessionGraph.Plan) {
        state.withLock { $0.sources = sources }
        for source in sources {
            source.source.route(
                to: plan.routes.filter { $0.input == source.source.input }.map(\.output.connection))
        }
        // Nothing comes for the others, and what they have of another camera was left.
        for route in plan.routes where !sources.contains(where: { $0.source.input == route.input }) {
            route.output.connection.join(nil, input: route.input)
        }
    }

    private func open(_ input: CaptureDeviceInput, format: VideoFormat?) throws(CaptureError) -> RunningSource {
        let source = CaptureSource(input: input) { [weak self] source, event in
            self?.handle(event, of: source)
        }
        let run = input.device.driver.makeRun(format: format, sink: source, clock: clock)
        state.withLock { $0.opening.append(run) }
        defer { state.withLock { state in state.opening.removeAll { $0 === run } } }
        if state.withLock({ $0.machine.isEnding }) { throw .cancelled("session") }
        do {
            let actual = try run.start()
            return RunningSource(source: source, run: run, requested: format, format: actual)
        } catch {
            run.stop()
            throw CaptureError(wrapping: error, subject: input.device.localizedName)
        }
    }

    /// On the driver's thread: nothing here may wait.
    private func handle(_ event: SourceEvent, of source: CaptureSource) {
        let device = source.input.device
        switch event {
        case .interrupted(let reason): listeners.send(.interrupted(device, reason))
        case .resumed: listeners.send(.interruptionEnded(device))
        case .ended(let error):
            if let error { listeners.send(.runtimeError(device, error)) }
            control.async { [weak self] in self?.closeIfAllEnded() }
        }
    }
}
