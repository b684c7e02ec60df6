// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraImaging
public import ObscuraMedia
public import ObscuraMovies

/// The front door: the frames of a camera, ready to use.
///
/// ```swift
/// let extractor = FrameExtractor(position: .front, preset: .medium)
/// for try await frame in extractor.frames {
///     print(frame.presentationTime, frame.image.width, frame.image.height)
/// }
/// ```
///
/// Permission is asked before anything is opened. ``preset``, ``orientation``, ``isMirrored`` and the
/// shape of the image may be set at any time; the last value wins.
///
/// Thread-safe.
public final class FrameExtractor: Sendable {
    /// Which camera is meant.
    public enum Source: Sendable, Hashable {
        /// The first camera of the machine that looks there.
        case position(CaptureDevice.Position)
        /// A name as on the command line; see ``CaptureDevice/named(_:reading:)``.
        case named(String)
        case device(CaptureDevice)
    }

    /// What runs.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case stopped, running
        /// The camera gives nothing for a while; the extractor waits for it.
        case interrupted
    }

    private struct Settings {
        var source: Source
        var preset: CaptureSession.Preset
        /// The preset that the session has taken.
        var grantedPreset: CaptureSession.Preset
        var image: ImageRequest
        var makesImages = true
        var openLoops = 0
        /// How often it was stopped: what began to open before a stop must not start after it.
        var stops = 0
        var isStartedByCaller = false
        /// What carries frames to the delegate; nil without one.
        var bridge: (any DelegateControl)?
    }

    let session: CaptureSession
    let output: VideoDataOutput
    private let reading: MovieReadingOptions
    private let settings: Lock<Settings>
    /// Naming a source may open a file; that happens here.
    private let opener = WorkerPool(name: "opener", threads: 1)

    /// - Parameters:
    ///   - source: the camera.
    ///   - preset: the quality at which it runs.
    ///   - reading: how a movie is read, if the source is one.
    ///   - lateFrames: what happens to frames that come while a reader is busy; nil takes `latest` for a
    ///     camera, and `lossless` for a movie that is read as fast as it is taken.
    ///   - clock: by which sources without hardware keep time.
    public init(
        _ source: Source, preset: CaptureSession.Preset = .high,
        reading: MovieReadingOptions = MovieReadingOptions(), lateFrames: LateFramePolicy? = nil,
        clock: any CaptureClock = SystemClock()
    ) {
        let settings = Lock(
            Settings(
                source: source, preset: preset, grantedPreset: preset, image: ImageRequest(pixelFormat: .bgra)))
        self.settings = settings
        output = VideoDataOutput(
            name: "extractor", lateFrames: lateFrames ?? (reading.pace == .lossless ? .lossless : .latest),
            imageRequest: { settings.withLock { $0.makesImages ? $0.image : nil } })
        session = CaptureSession(clock: clock, output: output)
        self.reading = reading
    }

    /// The first camera of the machine that looks to `position`.
    public convenience init(
        position: CaptureDevice.Position = .unspecified, preset: CaptureSession.Preset = .high
    ) {
        self.init(.position(position), preset: preset)
    }

    /// A source by name; see ``CaptureDevice/named(_:reading:)``.
    public convenience init(
        source: String, preset: CaptureSession.Preset = .high,
        reading: MovieReadingOptions = MovieReadingOptions()
    ) {
        self.init(.named(source), preset: preset, reading: reading)
    }

    deinit {
        settings.withLock { $0.bridge }?.end()
    }

    // MARK: Reading

    /// The frames, for a `for try await` loop. The camera starts with the first loop, and stops when the
    /// last one ends, unless ``start()`` was called.
    ///
    /// The loop throws ``ObscuraError`` when permission is denied, the camera cannot be opened, or fails.
    public var frames: Frames { Frames(extractor: self) }

    /// Where every frame went.
    public var ledger: SessionLedger { session.ledger }

    /// What happens to the camera, from now on.
    public var events: AsyncStream<SessionEvent> { session.events }

    /// Puts another bridge in the place of the one that there is, and returns that.
    func exchangeBridge(_ bridge: (any DelegateControl)?) -> (any DelegateControl)? {
        settings.withLock { settings in
            defer { settings.bridge = bridge }
            return settings.bridge
        }
    }

    // MARK: Running

    /// Starts the camera; it runs until ``stop()``.
    ///
    /// - Throws: ``ObscuraError``: `notAuthorized`, `noSuchDevice`, `deviceInUse`, `cancelled` when it was
    ///   stopped meanwhile, and others.
    nonisolated(nonsending) public func start() async throws(ObscuraError) {
        let stops = settings.withLock { settings in
            settings.isStartedByCaller = true
            return settings.stops
        }
        try await open(unlessStoppedSince: stops)
    }

    /// Stops the camera, also one that is being opened. Afterwards no frame comes, and loops end; the
    /// delegate is told of the stop itself, as the last thing.
    nonisolated(nonsending) public func stop() async {
        let bridge = settings.withLock { settings in
            settings.isStartedByCaller = false
            settings.stops += 1
            return settings.bridge
        }
        bridge?.close()
        await session.stop()
    }

    /// Whether the camera runs.
    public var isRunning: Bool { session.isRunning }

    /// Takes another camera; loops, the delegate and their accounts go on. Runs or not as before.
    ///
    /// - Throws: ``ObscuraError``; then the former camera goes on.
    nonisolated(nonsending) public func switchCamera(to source: Source) async throws(ObscuraError) {
        let input = try await makeInput(source)
        try await session.configure { [settings] configuration in
            // Whatever is there goes: of two switches at once the last one wins.
            for former in configuration.inputs { configuration.removeInput(former) }
            configuration.preset = settings.withLock { $0.preset }
            try configuration.addInput(input)
        }
        settings.withLock { $0.source = source }
        notePreset()
    }

    /// Takes the first camera that looks to `position`.
    ///
    /// - Throws: ``ObscuraError``; then the former camera goes on.
    nonisolated(nonsending) public func switchCamera(to position: CaptureDevice.Position) async throws(ObscuraError) {
        try await switchCamera(to: .position(position))
    }

    // MARK: Settings

    /// The quality at which the camera runs. A refusal comes as ``SessionEvent/refused(_:)`` and leaves the
    /// old value.
    public var preset: CaptureSession.Preset {
        get { settings.withLock { $0.preset } }
        set {
            settings.withLock { $0.preset = newValue }
            // Before there is a camera, whoever opens it goes by the setting.
            if !session.inputs.isEmpty { applyPreset() }
        }
    }

    /// The turn of the upright picture, clockwise.
    public var orientation: Orientation {
        get { settings.withLock { $0.image.orientation } }
        set { settings.withLock { $0.image.orientation = newValue } }
    }

    /// Whether left and right change places.
    public var isMirrored: Bool {
        get { settings.withLock { $0.image.isMirrored } }
        set { settings.withLock { $0.image.isMirrored = newValue } }
    }

    /// What is done to the upright pictures, one effect after the other; see `VideoEffect`.
    public var effects: [VideoEffect] {
        get { settings.withLock { $0.image.effects } }
        set {
            settings.withLock { $0.image.effects = newValue }
            output.connection.readersHaveEffects(!newValue.isEmpty)
        }
    }

    /// Whether an image is made of each frame (default: true). Without images, ``Frame/image`` is the camera's own
    /// picture, and nothing is converted.
    public var makesImages: Bool {
        get { settings.withLock { $0.makesImages } }
        set { settings.withLock { $0.makesImages = newValue } }
    }

    /// The format of the images; BGRA unless set.
    public var pixelFormat: PixelFormat {
        get { settings.withLock { $0.image.pixelFormat } ?? .bgra }
        set { settings.withLock { $0.image.pixelFormat = newValue.isCompressed ? .bgra : newValue } }
    }

    /// The size of the images; nil keeps the camera's.
    public var size: PixelSize? {
        get { settings.withLock { $0.image.size } }
        set { settings.withLock { $0.image.size = newValue } }
    }

    /// How the picture meets a ``size`` of another shape.
    public var fit: ImageRequest.Fit {
        get { settings.withLock { $0.image.fit } }
        set { settings.withLock { $0.image.fit = newValue } }
    }
}

// MARK: - Opening

extension FrameExtractor {
    /// One loop more: waits for a stop that is under way, so that it does not end the new loop.
    nonisolated(nonsending) func joinLoop() async -> (frames: VideoDataOutput.Frames.Iterator, stops: Int) {
        let stops = settings.withLock { settings in
            settings.openLoops += 1
            return settings.stops
        }
        await session.settle()
        if !session.isRunning { output.awaitStart() }
        return (output.frames.makeAsyncIterator(), stops)
    }

    /// One loop less; the last one stops the camera.
    func leaveLoop() {
        settings.withLock { $0.openLoops -= 1 }
        session.stopSoon { [settings] in settings.withLock { $0.openLoops == 0 && !$0.isStartedByCaller } }
    }

    /// The task of a loop was cancelled while the camera was being opened for it.
    func cancelOpening() {
        session.stopSoon { [settings] in settings.withLock { $0.openLoops <= 1 && !$0.isStartedByCaller } }
    }

    /// Opens the camera and starts it, if nobody has stopped it since.
    nonisolated(nonsending) func open(unlessStoppedSince stops: Int) async throws(ObscuraError) {
        if session.inputs.isEmpty {
            let input = try await makeInput(settings.withLock { $0.source })
            try await session.configure { [settings] configuration in
                // Whoever comes first has it.
                guard configuration.inputs.isEmpty else { return }
                configuration.preset = settings.withLock { $0.preset }
                try configuration.addInput(input)
            }
            notePreset()
        }
        settings.withLock { $0.bridge }?.reopen()
        try await session.start { [settings] in settings.withLock { $0.stops == stops } }
        guard let input = session.inputs.first else { return }
        do throws(ObscuraError) {
            try session.requirePictures(of: input)
        } catch {
            await session.stop()
            throw error
        }
    }

    /// What the session has taken; a setting that came meanwhile is applied now.
    private func notePreset() {
        let preset = session.preset
        let isOther = settings.withLock { settings in
            settings.grantedPreset = preset
            return settings.preset != preset
        }
        if isOther { applyPreset() }
    }

    nonisolated(nonsending) private func makeInput(_ source: Source) async throws(ObscuraError) -> CaptureDeviceInput {
        let reading = reading
        return try await opener.run {
            Result { () throws(ObscuraError) in
                let device =
                    switch source {
                    case .device(let device): device
                    case .named(let name): try CaptureDevice.named(name, reading: reading)
                    case .position(let position):
                        if let device = CaptureDevice.default(for: .video, position: position) {
                            device
                        } else {
                            throw ObscuraError.noCamera(position == .unspecified ? nil : position)
                        }
                    }
                try device.require(.video)
                return try CaptureDeviceInput(device: device)
            }
        }.get()
    }

    /// Takes whatever preset is wished when its turn comes, so that of many the last one wins.
    private func applyPreset() {
        let tried = Lock(CaptureSession.Preset.high)
        session.configureSoon { [settings] configuration in
            let setting = settings.withLock { $0.preset }
            tried.withLock { $0 = setting }
            configuration.preset = setting
        } completion: { [settings] error in
            let preset = tried.withLock { $0 }
            settings.withLock { settings in
                if error == nil {
                    settings.grantedPreset = preset
                } else if settings.preset == preset {
                    settings.preset = settings.grantedPreset
                }
            }
        }
    }
}
