// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
package import Obscura
internal import ObscuraBase

/// A session: cameras and microphones, and the outputs that receive their media.
///
/// Changes between ``beginConfiguration()`` and ``commitConfiguration()`` take effect together. Other changes take
/// effect immediately. Changes, ``startRunning()`` and ``stopRunning()`` block the caller: call them on a queue of your
/// own.
///
/// For an invalid call, Apple's session raises an exception. This session ignores the call, and logs an error. A change
/// that fails is also reported as `AVCaptureSessionRuntimeError`. Thread-safe.
public class AVCaptureSession: NSObject, @unchecked Sendable {  // Its properties are constants and a lock.
    private struct State {
        /// With the changes of the configuration that has begun.
        var graph = SessionContents()
        /// As the session runs.
        var applied = SessionContents()
        /// Number of configurations that have begun and not ended.
        var configurations = 0
        /// The devices that deliver nothing.
        var interrupted: Set<CaptureDevice> = []
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    package let session = CaptureSession()
    private let state = Lock(State())
    private let watching = Lock<Task<Void, Never>?>(nil)
    /// Observers may block, as those of queues do.
    private let notifications = DispatchQueue(label: "obscura.avfoundation.notifications")

    /// Creates a session without inputs and outputs.
    override public init() {
        super.init()
        let events = session.events
        let task = Task { [weak self, notifications] in
            for await event in events { notifications.async { [weak self] in self?.note(event) } }
        }
        watching.withLock { $0 = task }
    }

    deinit {
        watching.withLock { $0 }?.cancel()
    }

    // MARK: Configuration

    /// The inputs, in the order in which they were added.
    public var inputs: [AVCaptureInput] { state.withLock { $0.graph.inputs } }
    /// The outputs, in the order in which they were added.
    public var outputs: [AVCaptureOutput] { state.withLock { $0.graph.outputs } }
    /// The connections of all outputs and preview layers.
    public var connections: [AVCaptureConnection] { destinations.flatMap(\.connections) }

    /// The clock of the times of samples.
    public var synchronizationClock: CMClock? { .hostTimeClock }
    /// The clock of the times of samples; the older name.
    public var masterClock: CMClock? { synchronizationClock }

    /// Whether a preset can be set: it is known here, and all cameras of the session support it.
    public func canSetSessionPreset(_ preset: Preset) -> Bool {
        preset.preset != nil && devices.allSatisfy { $0.supportsSessionPreset(preset) }
    }

    /// The quality at which the cameras run.
    public var sessionPreset: Preset {
        get { Preset.of(state.withLock { $0.graph.preset }) ?? .high }
        set {
            guard let preset = newValue.preset else {
                return Self.logger.error("sessionPreset: \(newValue.rawValue) is unknown")
            }
            change { $0.setPreset(preset) }
        }
    }

    /// Whether the session can have more than one camera.
    var takesSeveralCameras: Bool { false }

    /// Whether an input can be added: its device is not in the session yet, and it is not a second camera.
    public func canAddInput(_ input: AVCaptureInput) -> Bool {
        guard let added = input as? AVCaptureDeviceInput else { return false }
        let isSingle = !takesSeveralCameras && added.device.hasMediaType(.video)
        return !devices.contains { $0 === added.device || isSingle && $0.hasMediaType(.video) }
    }

    /// Adds an input.
    public func addInput(_ input: AVCaptureInput) {
        guard let added = input as? AVCaptureDeviceInput, canAddInput(added) else {
            return Self.logger.error("addInput: \(input) cannot be added")
        }
        let selection = added.device.join(self)
        change { graph in
            graph.inputs.append(added)
            // Another preset selects the mode.
            graph.selections[added.input] = graph.preset == .inputPriority ? selection : nil
        }
    }

    /// Removes an input. When another input of the same media type is added, outputs are connected to it.
    public func removeInput(_ input: AVCaptureInput) {
        guard let removed = inputs.first(where: { $0 === input }) as? AVCaptureDeviceInput else { return }
        removed.device.leave(self, state.withLock { $0.graph.selections[removed.input] })
        change { $0.remove(removed) }
    }

    /// Whether an output can be added: it is not in a session.
    public func canAddOutput(_ output: AVCaptureOutput) -> Bool {
        guard !outputs.contains(where: { $0 === output }) else { return false }
        // One that this configuration has removed is still in the session.
        return session.outputs.contains { $0 === output.output } || session.refusal(of: output.output) == nil
    }

    /// Adds an output, and connects it to the first input of its media type.
    public func addOutput(_ output: AVCaptureOutput) {
        guard canAddOutput(output) else { return Self.logger.error("addOutput: \(output) cannot be added") }
        connect(output)
        change { $0.outputs.append(output) }
    }

    /// Removes an output.
    public func removeOutput(_ output: AVCaptureOutput) {
        guard outputs.contains(where: { $0 === output }) else { return }
        output.leave()
        change { graph in
            graph.outputs.removeAll { $0 === output }
            graph.routes[ObjectIdentifier(output)] = nil
        }
        output.link(nil)
    }

    /// The contents, with the changes of the configuration that has begun.
    var contents: SessionContents { state.withLock { $0.graph } }

    /// The outputs, and those of preview layers.
    private var destinations: [AVCaptureOutput] { state.withLock { $0.graph.destinations } }

    /// Gives an output its connections to the inputs of the session.
    func connect(_ output: AVCaptureOutput) {
        output.join(session) { [weak self, weak output] in
            guard let self, let output else { return [:] }
            return state.withLock { $0.graph.sources(of: output) }
        }
    }

    private var devices: [AVCaptureDevice] { state.withLock { $0.graph.deviceInputs }.map(\.device) }

    /// Begins changes that take effect together, with ``commitConfiguration()``. Can be nested.
    public func beginConfiguration() {
        state.withLock { $0.configurations += 1 }
    }

    /// Applies the changes since ``beginConfiguration()``. If the session runs, added cameras are opened now.
    public func commitConfiguration() {
        let isLast = state.withLock { state in
            guard state.configurations > 0 else { return false }
            state.configurations -= 1
            return state.configurations == 0
        }
        if isLast { apply() }
    }

    func change(_ body: (inout SessionContents) -> Void) {
        let isSingle = state.withLock { state in
            body(&state.graph)
            return state.configurations == 0
        }
        if isSingle { apply() }
    }

    /// Applies the wanted inputs, outputs and preset to the session.
    private func apply() {
        // What is not connected any more receives nothing from now on, also while the session changes.
        for (output, sources) in contents.routed { output.link(sources, isEnabling: false) }
        let failure = BlockingCall.run { [self] () -> ObscuraError? in
            let wanted = Lock(SessionContents())
            do throws(ObscuraError) {
                try await session.configure { [self] configuration in
                    // Read here, so that the last of several changes at once is applied last.
                    let graph = state.withLock { $0.graph }
                    wanted.withLock { $0 = graph }
                    try graph.apply(to: &configuration)
                }
                let applied = wanted.withLock { $0 }
                state.withLock { $0.applied = applied }
                return nil
            } catch {
                return error
            }
        }
        defer { for (output, sources) in contents.routed { output.link(sources) } }
        guard let failure else {
            for connection in connections { connection.adjustMirroring() }
            return forgetInterruptions()
        }
        // Nothing has changed.
        let wrong = state.withLock { state in
            defer { state.graph = state.applied }
            return state.graph
        }
        for input in wrong.deviceInputs { input.device.leave(self, nil) }
        for device in devices { _ = device.join(self) }
        for output in wrong.destinations {
            output.leave()
            output.link(nil)
        }
        for output in destinations { connect(output) }
        report(failure)
    }

    // MARK: Running

    /// Whether the session runs.
    public var isRunning: Bool { session.isRunning }
    /// Whether a device has stopped delivering media; see `AVCaptureSessionWasInterrupted`.
    public var isInterrupted: Bool { state.withLock { !$0.interrupted.isEmpty } }

    /// Starts the session. Blocks until the devices deliver media, or the start fails. A failure is reported as
    /// `AVCaptureSessionRuntimeError`.
    public func startRunning() {
        guard state.withLock({ $0.configurations == 0 }) else {
            return Self.logger.error("startRunning: call commitConfiguration first; the session was not started")
        }
        let failure = BlockingCall.run { [session] () -> ObscuraError? in
            do throws(ObscuraError) {
                try await session.start()
                return nil
            } catch {
                return error
            }
        }
        if let failure { report(failure) }
    }

    /// Stops the session. Blocks until the devices are closed.
    public func stopRunning() {
        BlockingCall.run { [session] in await session.stop() }
    }

    // MARK: Events

    private func note(_ event: SessionEvent) {
        switch event {
        case .started: post(.AVCaptureSessionDidStartRunning)
        case .stopped:
            state.withLock { $0.interrupted = [] }
            post(.AVCaptureSessionDidStopRunning)
        case .interrupted(let device, let reason):
            state.withLock { _ = $0.interrupted.insert(device) }
            let values = InterruptionReason(reason, of: device).map {
                [AVCaptureSessionInterruptionReasonKey: NSNumber(value: $0.rawValue)]
            }
            post(.AVCaptureSessionWasInterrupted, values)
        case .interruptionEnded(let device): endInterruptions { $0 == device }
        case .runtimeError(let device, let error):
            endInterruptions { $0 == device }
            report(error)
        case .paused, .resumed, .refused, .stillBusy: break
        }
    }

    /// Forgets the interruptions of devices that have left the session.
    private func forgetInterruptions() {
        let devices = session.inputs.map(\.device)
        endInterruptions { !devices.contains($0) }
    }

    private func endInterruptions(_ ends: (CaptureDevice) -> Bool) {
        let isOver = state.withLock { state in
            let before = state.interrupted
            state.interrupted = before.filter { !ends($0) }
            return !before.isEmpty && state.interrupted.isEmpty
        }
        if isOver { post(.AVCaptureSessionInterruptionEnded) }
    }

    private func report(_ error: ObscuraError) {
        Self.logger.error("\(error)")
        post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: AVError(error)])
    }

    private func post(_ name: Notification.Name, _ values: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: values)
    }
}
