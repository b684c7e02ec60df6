// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import NIOCore
internal import Obscura
internal import ObscuraBase
internal import ObscuraWeb

/// A camera of the Studio: a capture session that runs while it has viewers, takes photos or records, and its state.
///
/// Thread-safe. Devices are opened, read and set on the Studio's worker threads, never on the caller's.
final class StudioCamera: Sendable {
    struct State {
        var device: CaptureDevice
        var input: CaptureDeviceInput?
        var microphone: CaptureDevice?
        var microphoneInput: CaptureDeviceInput?
        var preset = CaptureSession.Preset.high
        var isMirrored = false
        var orientation = Orientation.up
        var effects: [String] = []
        var faces = CameraDescription.Faces.none
        var status = CameraDescription.Status.idle
        var problem: CameraDescription.Problem?
        /// Number of users that need the camera to run: viewers, pending photos and a recording.
        var users = 0
        /// Stops the camera after a time without users.
        var idleTimer: Scheduled<Void>?
        var isStopping = false
        var isRemoved = false
        /// The views, each with the number of its subscriptions. They are counted here, because a viewer is added to a view
        /// only after its subscription has begun.
        var streams: [PictureRequest: (stream: PictureStream, watches: Int)] = [:]
        var lens = CameraLens()
        var recording: RunningRecording?
        var faceOutput: FaceOutput?
    }

    let id: String
    var device: CaptureDevice { state.withLock { $0.device } }
    var microphone: CaptureDevice? { state.withLock { $0.microphone } }
    var hasMicrophone: Bool { microphone != nil }
    var isRecording: Bool { state.withLock { $0.recording != nil } }
    let session = CaptureSession()
    let preview = PreviewOutput()
    let photos = PhotoOutput()
    let movie = MovieFileOutput()
    /// The state of the effect `ripple`.
    let ripple = Ripple()
    let state: Lock<State>
    let devices: StudioDevices
    /// Receives state changes and messages for users.
    let announcer: Announcer
    /// Called when a movie has ended, before the pages are notified. May be called twice for a movie.
    let onRecorded: @Sendable (_ name: String, RecordingResult) -> Void
    let logger: Logger
    let rate = RateMeter()
    /// Serializes operations that open, change or stop devices.
    let mutex = AsyncMutex(waiterLimit: 64)

    /// Time that the camera keeps running without users, so that it is still running when a page is reloaded.
    private let idlePatience: Duration

    init(
        id: String, device: CaptureDevice, microphone: CaptureDevice? = nil, devices: StudioDevices,
        announcer: Announcer,
        idlePatience: Duration = .seconds(10), logger: Logger,
        onRecorded: @escaping @Sendable (_ name: String, RecordingResult) -> Void
    ) {
        self.onRecorded = onRecorded
        self.id = id
        self.devices = devices
        self.announcer = announcer
        self.idlePatience = idlePatience
        var logger = logger
        logger[metadataKey: "camera"] = "\(device.localizedName)"
        self.logger = logger
        state = Lock(State(device: device, microphone: microphone))
        let events = session.events
        Task { [weak self] in for await event in events { self?.note(event) } }
        let recordings = movie.events
        Task { [weak self] in for await event in recordings { self?.note(event) } }
    }

    // MARK: Life cycle

    /// Adds a user, and starts the camera if it is not running.
    func acquire() {
        let begins = state.withLock { state in
            state.users += 1
            state.idleTimer?.cancel()
            state.idleTimer = nil
            return state.users == 1 || state.status == .idle
        }
        if begins { Task { try? await start() } }
    }

    /// Removes a user. Without any, the camera stops after a while.
    func release() {
        state.withLock { state in
            state.users -= 1
            guard state.users == 0, !state.isRemoved else { return }
            state.idleTimer = Timers.after(idlePatience) { [weak self] in
                Task { await self?.stop { $0.users == 0 } }
            }
        }
    }

    /// Runs `body` while the camera is running.
    func use<R>(_ body: () async throws -> R) async throws -> R {
        acquire()
        defer { release() }
        try await start()
        return try await body()
    }

    /// Starts the camera if it is not running. A failure is also part of its description.
    func start() async throws {
        try await mutex.perform { try await startInTurn() }
    }

    /// Like ``start()``, for a caller that holds the lock.
    func startInTurn() async throws {
        let (isRemoved, isRunning) = state.withLock { ($0.isRemoved, $0.status.isRunning) }
        guard !isRemoved else { throw ObscuraError.noSuchCamera }
        if isRunning, session.isRunning { return }
        // A microphone keeps a session running even if its camera has failed or has ended.
        if session.isRunning { await stopSession() }
        set(.starting)
        announcer.noteChange()
        do {
            try await announceQuestion()
            try await open()
            try await session.start()
        } catch {
            fail(error)
            throw error
        }
        set(.running)
        announcer.noteChange()
        for stream in state.withLock({ $0.streams.values.map(\.stream) }) { stream.resume() }
        Task { await readLens() }
    }

    /// Informs the pages if the start will ask the user at the machine for permission.
    private func announceQuestion() async throws {
        let device = device
        guard try await onWorker({ device.authorizationStatus == .notDetermined }) else { return }
        set(
            .asking,
            .init(
                code: "notAuthorized",
                message: "Allow the use of \(device.localizedName) in the dialog on the machine of the Studio.",
                advice: CameraPermission.settings.usageDescription))
        announcer.noteChange()
    }

    /// Stops everything; the camera cannot be used again.
    func remove() async {
        let (recording, streams) = state.withLock { state in
            state.isRemoved = true
            state.idleTimer?.cancel()
            return (state.recording, state.streams.values.map(\.stream))
        }
        if recording != nil { await movie.stopRecording() }
        for stream in streams { stream.finish() }
        // Without the lock: its holder may be waiting for a camera that does not respond, and this ends that wait.
        await session.stop()
        await stop { _ in true }
    }

    private func stop(if condition: (State) -> Bool) async {
        try? await mutex.perform {
            guard state.withLock({ condition($0) }) else { return }
            await stopSession()
            set(.idle)
            announcer.noteChange()
        }
    }

    private func stopSession() async {
        state.withLock { $0.isStopping = true }
        await session.stop()
        state.withLock { $0.isStopping = false }
    }

    /// Handles the end of the frames without a stop request: the file has ended, even if a microphone still runs.
    func notePicturesEnded() {
        Task {
            try? await mutex.perform {
                let name = device.localizedName
                let goesOn = session.ledger.inputs.contains { $0.device == name && $0.isRunning }
                guard state.withLock({ $0.status == .running }), !goesOn else { return }
                await stopSession()
                set(.ended)
                announcer.noteChange()
            }
        }
    }

    /// Adds the inputs that the session still lacks.
    private func open() async throws {
        let (device, microphone, input, hasMicrophone, preset) = state.withLock { state in
            (state.device, state.microphone, state.input, state.microphoneInput != nil, state.preset)
        }
        if input == nil {
            let input = try await onWorker { try CaptureDeviceInput(device: device) }
            let outputs = [preview, photos, movie] + extraOutputs
            try await session.configure { configuration in
                configuration.preset = preset
                try configuration.addInput(input)
                for output in outputs { try configuration.addOutput(output) }
            }
            state.withLock { $0.input = input }
        }
        guard !hasMicrophone, let microphone else { return }
        do {
            try await setMicrophone(microphone)
        } catch {
            // Video continues without sound, and a notice informs the users.
            announcer.post(Notice(camera: id, level: .warning, error))
        }
    }

    private var extraOutputs: [CaptureOutput] {
        [state.withLock { $0.faceOutput }].compactMap(\.self)
    }

    private func fail(_ error: any Error) {
        let code = (error as? ObscuraError)?.code
        // The start was cancelled by a stop request, which is no failure.
        if code == .cancelled { return set(.idle) }
        set(code == .notAuthorized ? .denied : .failed, .init(error))
        logger.warning("the camera cannot be started", metadata: ["error": "\(error)"])
        announcer.noteChange()
    }

    /// Handles the events that no request has caused; requested starts and stops are handled by their callers.
    private func note(_ event: SessionEvent) {
        switch event {
        case .started, .resumed, .paused: return
        case .stopped:
            let hasEnded = state.withLock { state in
                guard !state.isStopping, state.status.isRunning, !session.isRunning else { return false }
                state.status = .ended
                return true
            }
            if !hasEnded { return }
        case .interrupted(let device, let reason):
            let message = "\(device.localizedName) \(reason.words)."
            let advice = reason == .deviceDisconnected ? "Plug it in again; it resumes automatically." : nil
            announcer.post(Notice(camera: id, level: .warning, message: message, advice: advice))
            if isCamera(device) { set(.disconnected, .init(code: reason.rawValue, message: message, advice: advice)) }
        case .interruptionEnded(let device):
            announcer.post(Notice(camera: id, level: .info, message: "\(device.localizedName) delivers frames again."))
            if isCamera(device) { set(.running) }
        case .runtimeError(let device, let error):
            announcer.post(Notice(camera: id, level: .error, error))
            if isCamera(device) { set(.failed, .init(error)) }
        case .refused(let error):
            announcer.post(Notice(camera: id, level: .error, error))
        case .stillBusy(let readers):
            logger.warning("the camera was stopped, but its callbacks still run", metadata: ["readers": "\(readers)"])
        }
        announcer.noteChange()
    }

    func set(_ status: CameraDescription.Status, _ problem: CameraDescription.Problem? = nil) {
        state.withLock { state in
            state.status = status
            state.problem = problem
        }
    }

    private func isCamera(_ device: CaptureDevice) -> Bool { state.withLock { $0.device == device } }
}

extension CameraDescription.Status {
    /// Whether the session should be running, which includes a camera that is temporarily disconnected.
    var isRunning: Bool { self == .running || self == .disconnected }
}

extension Notice {
    init(camera: String, level: Level, _ error: any Error) {
        let problem = CameraDescription.Problem(error)
        self.init(camera: camera, level: level, message: problem.message, advice: problem.advice)
    }
}

extension CameraDescription.Problem {
    init(_ error: any Error) {
        guard let error = error as? ObscuraError else {
            self.init(code: "failed", message: "\(error)", advice: nil)
            return
        }
        self.init(code: error.code.description, message: error.sentence, advice: error.remedy?.pageText)
    }
}

extension InterruptionReason {
    /// The reason as the end of a sentence whose subject is the device.
    fileprivate var words: String {
        switch self {
        case .deviceDisconnected: "was unplugged, or the connection was lost"
        case .stalled: "delivers no frames"
        case .deviceInUse: "is used by another program"
        case .streamFailed: "failed, and is being restarted"
        case .systemSleep: "is closed while the machine sleeps"
        case .sessionLocked: "is closed while the session of the user is locked"
        }
    }
}
