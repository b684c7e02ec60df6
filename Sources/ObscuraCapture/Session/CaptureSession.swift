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
        /// What the graph came to when it was last checked.
        var plan = SessionGraph.Plan()
        var sources: [RunningSource] = []
        /// The accounts of the last devices that ran and do not any more.
        var formerInputs: [SessionLedger.Input] = []
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
    private typealias Outcome = Result<Void, CaptureError>

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

    /// A session that has an output from its beginning.
    package convenience init(clock: any CaptureClock, output: any SessionOutput) {
        self.init(clock: clock)
        state.withLock { _ = try? $0.graph.add(output) }
        output.connection.belong(to: self)
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
        let (sources, former, outputs) = state.withLock { ($0.sources, $0.formerInputs, $0.graph.outputs) }
        let readers = outputs.map(\.connection.allReaders).flatMap { readers in
            readers.attached.map { SessionLedger.Reader($0, isAttached: true) }
                + readers.former.map { SessionLedger.Reader($0, isAttached: false) }
        }
        return SessionLedger(
            inputs: sources.map { SessionLedger.Input($0.source, isRunning: true) } + former, readers: readers)
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
    ///
    /// - Parameter change: may be called again, when the user had to be asked about a camera first.
    nonisolated(nonsending) public func configure(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void
    ) async throws(CaptureError) {
        while let unasked = try await control.run({ [self] in
            Result { () throws(CaptureError) in try commit(change) }
        }).get() {
            guard await ask(unasked) else { throw .notAuthorized(unasked.device) }
        }
    }

    /// As ``configure(_:)``, without waiting: a refusal comes as ``SessionEvent/refused(_:)``.
    ///
    /// - Parameter completion: told what became of it, on the session's thread.
    package func configureSoon(
        _ change: @escaping @Sendable (inout Configuration) throws -> Void,
        completion: @escaping @Sendable (CaptureError?) -> Void
    ) {
        control.async { [self] in
            do throws(CaptureError) {
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
    /// for the same outcome.
    ///
    /// - Throws: ``CaptureError``: `notAuthorized`, `deviceInUse`, `noSuchDevice`, `cancelled` when it was
    ///   stopped meanwhile, and others. Then nothing runs.
    nonisolated(nonsending) public func start() async throws(CaptureError) {
        try await start { true }
    }

    /// As ``start()``, if `condition` holds at the moment at which it is decided; else throws `cancelled`.
    nonisolated(nonsending) package func start(
        if condition: @escaping @Sendable () -> Bool
    ) async throws(CaptureError) {
        while true {
            let (isAgreed, action, pending, isRunning) = state.withLock { state in
                guard condition() else { return (false, SessionStateMachine.Action.nothing, Int?.none, false) }
                let action = state.machine.start()
                // Whoever comes while an attempt is being cancelled wants one of his own.
                let pending = state.machine.isEnding ? nil : state.machine.pendingAttempt
                return (true, action, pending, state.machine.isRunning)
            }
            guard isAgreed else { throw .cancelled("session") }
            if case .authorize(let attempt) = action { begin(attempt) }
            if isRunning { return }
            guard let pending, let outcome = await outcome(of: pending) else {
                // A stop is under way, or the attempt has just ended: look again.
                await settle()
                continue
            }
            return try outcome.get()
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

// MARK: - On the control thread

extension CaptureSession {
    private func refusal(_ change: (inout Configuration) throws -> Void) -> CaptureError? {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do {
            try change(&configuration)
            _ = try configuration.graph.plan()
            try checkOwners(of: configuration.graph)
            return nil
        } catch {
            return CaptureError(refusing: error)
        }
    }

    /// Begins an attempt to start: asks the user where that is needed, then opens on the control thread.
    private func begin(_ attempt: Int) {
        let unasked = inputs.filter { !isAllowed($0) }
        guard !unasked.isEmpty else { return control.async { [self] in open(attempt, refused: nil) } }
        // Waiting for people is the one thing that is done on whatever executor there is.
        Task { [self] in
            var refused: CaptureDeviceInput?
            for input in unasked where refused == nil {
                if await !ask(input) { refused = input }
            }
            control.async { [self, refused] in open(attempt, refused: refused) }
        }
    }

    private func open(_ attempt: Int, refused: CaptureDeviceInput?) {
        let action = state.withLock { $0.machine.authorized(attempt: attempt, isGranted: refused == nil) }
        guard action == .open else {
            return conclude(attempt, .failure(refused.map { .notAuthorized($0.device) } ?? .cancelled("session")))
        }
        conclude(attempt, Result { () throws(CaptureError) in try openAll() })
    }

    /// Whether the input may be opened without asking anybody (any more).
    private func isAllowed(_ input: CaptureDeviceInput) -> Bool {
        input.device.authorizationStatus == .authorized || state.withLock { $0.granted.contains(input) }
    }

    nonisolated(nonsending) private func ask(_ input: CaptureDeviceInput) async -> Bool {
        guard input.device.authorizationStatus == .notDetermined else { return isAllowed(input) }
        guard await input.device.driver.requestAccess() else { return false }
        state.withLock { _ = $0.granted.insert(input) }
        return true
    }

    /// Waits for the end of an attempt; nil if it has ended already.
    nonisolated(nonsending) private func outcome(of attempt: Int) async -> Outcome? {
        await withCheckedContinuation { continuation in
            let isPending = state.withLock { state in
                guard state.machine.pendingAttempt == attempt else { return false }
                state.starters.append((attempt, continuation))
                return true
            }
            if !isPending { continuation.resume(returning: nil) }
        }
    }

    private func conclude(_ attempt: Int, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            defer { state.starters.removeAll { $0.attempt == attempt } }
            return state.starters.filter { $0.attempt == attempt }
        }
        for starter in waiting { starter.continuation.resume(returning: outcome) }
    }

    /// Who waits for an attempt that a stop has ended, while the user was being asked, waits no longer.
    private func abandonAttempts() {
        let abandoned = state.withLock { state in
            let pending = state.machine.pendingAttempt
            return Set(state.starters.map(\.attempt).filter { $0 != pending })
        }
        for attempt in abandoned { conclude(attempt, .failure(.cancelled("session"))) }
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
        let deadline = HostTime.now + Self.patience
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        // First nothing new comes, then the readers end (which frees a driver that waits for one), then
        // the drivers end, all at the same time.
        for source in sources { source.abandon() }
        let callbacks = outputs.flatMap { $0.sessionWillStop() }
        retire(sources)
        wait(for: callbacks, until: deadline, calledFrom: caller)
        announceStop()
    }

    /// Waits for callbacks that run, and names those that go on for longer than we are patient.
    private func wait(
        for callbacks: [any RunningCallback], until deadline: HostTime, calledFrom caller: CallbackContext?
    ) {
        let leaving = state.withLock { state in
            defer { state.leaving.removeAll() }
            return state.leaving
        }
        let busy = (callbacks + leaving).filter { !$0.wait(until: deadline, calledFrom: caller) }.map(\.name)
        if !busy.isEmpty {
            Self.logger.warning("stopped while callbacks still run", metadata: ["readers": "\(busy)"])
            listeners.send(.stillBusy(busy))
        }
    }

    /// Closes sources that are not to run any more, and keeps their accounts.
    private func retire(_ sources: [RunningSource]) {
        for source in sources { source.close() }
        let accounts = sources.map { SessionLedger.Input($0.source, isRunning: false) }
        state.withLock { state in
            state.sources.removeAll { old in sources.contains { $0.run === old.run } }
            state.formerInputs = (state.formerInputs + accounts).suffix(Self.formerInputsKept)
        }
    }

    private static let formerInputsKept = 16

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
        retire(sources)
        announceStop()
    }

    private func announceStop() {
        if state.withLock({ $0.machine.closed() }) == .announceStop { listeners.send(.stopped) }
    }

    /// Makes the change, or returns an input about which the user must be asked first.
    private func commit(
        _ change: (inout Configuration) throws -> Void
    ) throws(CaptureError) -> CaptureDeviceInput? {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do { try change(&configuration) } catch { throw CaptureError(refusing: error) }
        let graph = configuration.graph
        let plan = try graph.plan()
        try checkOwners(of: graph)
        let (former, formerPlan, running, isStopped) = state.withLock { state in
            (state.graph, state.plan, state.machine.isRunning ? state.sources : nil, state.machine.isStopped)
        }
        // While it runs or starts, nobody else asks about a camera that is new.
        if !isStopped, let unasked = graph.inputs.first(where: { !former.inputs.contains($0) && !isAllowed($0) }) {
            guard unasked.device.authorizationStatus == .notDetermined else { throw .notAuthorized(unasked.device) }
            return unasked
        }
        var retired: [RunningSource] = []
        if let running {
            let exchange = try SourceExchange(from: running, to: graph.inputs, formats: plan.formats) {
                [self] input, format throws(CaptureError) in try open(input, format: format)
            }
            if let error = exchange.error {
                install(exchange.sources, formerPlan)
                end(exchange.failures, formerPlan)
                throw error
            }
            for output in graph.outputs where !former.outputs.contains(where: { $0 === output }) {
                output.sessionWillStart()
            }
            install(exchange.sources, plan)
            retired = exchange.retired
        }
        state.withLock { state in
            state.graph = graph
            state.plan = plan
        }
        for output in graph.outputs { output.connection.belong(to: self) }
        // Readers end before sources do: a source may be waiting for one of them.
        for output in former.outputs where !graph.outputs.contains(where: { $0 === output }) {
            let callbacks = output.sessionWillStop()
            state.withLock { state in
                state.leaving.removeAll { $0.wait(until: .now, calledFrom: nil) }
                state.leaving += callbacks
            }
            output.connection.join(nil, input: nil)
            output.connection.belong(to: nil)
        }
        retire(retired)
        if running == nil {
            for route in plan.routes { route.output.connection.join(nil, input: route.input) }
        }
        return nil
    }

    private func checkOwners(of graph: SessionGraph) throws(CaptureError) {
        for output in graph.outputs where !output.connection.isFree(for: self) {
            throw .invalidConfiguration(
                "the output \(output.name)", "it is in another session", "Remove it there first, or make another one.")
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
        state.withLock { state in
            state.sources = sources
            state.plan = plan
        }
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
        guard isAllowed(input) else { throw .notAuthorized(input.device) }
        do {
            let actual = try run.start()
            return RunningSource(source: source, run: run, requested: format, format: actual)
        } catch {
            source.close()
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
