// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraImaging
public import ObscuraMedia
public import ObscuraMovies

/// A source of upright, converted frames of a camera; the simplest interface of Obscura.
///
/// ```swift
/// let extractor = FrameExtractor(position: .front, preset: .medium)
/// for try await frame in extractor.frames {
///     print(frame.presentationTime, frame.image.width, frame.image.height)
/// }
/// ```
///
/// The extractor requests permission before it opens a camera. ``preset``, ``orientation``, ``isMirrored`` and the
/// format and size of the image can be changed at any time, also while the camera runs.
///
/// Thread-safe.
public final class FrameExtractor: Sendable {
    /// The camera or the movie from which the frames are read.
    public enum Source: Sendable, Hashable {
        /// The first camera of the machine at the position.
        case position(CaptureDevice.Position)
        /// A source name, a path or an address; see ``CaptureDevice/named(_:reading:)-(String,_)``.
        case named(String)
        /// A device, for example from a ``CaptureDevice/DiscoverySession``.
        case device(CaptureDevice)
    }

    /// The state of the camera.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The camera is closed: before the start, after a stop and at the end of a file.
        case stopped
        /// The camera is open and delivers frames.
        case running
        /// The camera temporarily delivers no frames; the extractor waits for further frames.
        case interrupted
    }

    private struct Settings {
        var source: Source
        var preset: CaptureSession.Preset
        /// The preset applied to the session.
        var grantedPreset: CaptureSession.Preset
        var image: ImageRequest
        var makesImages = true
        var openLoops = 0
        /// Number of stops, so that an open that began before a stop does not start the camera after it.
        var stops = 0
        var isStartedByCaller = false
        var pausesWhileLocked = false
        /// Calls the delegate; nil without one.
        var bridge: (any DelegateControl)?
    }

    let session: CaptureSession
    let output: VideoDataOutput
    private let reading: MovieReadingOptions
    private let settings: Lock<Settings>
    /// Runs the lookup of devices, which may open a file.
    private let opener = WorkerPool(name: "opener", threads: 1)

    /// Creates an extractor; the camera is opened by the first loop or ``start()``.
    ///
    /// - Parameters:
    ///   - source: The camera or the movie.
    ///   - preset: The quality at which the camera runs.
    ///   - reading: The options for reading, if the source is a movie.
    ///   - latePolicy: The handling of frames that arrive while a loop or the delegate is busy; nil uses `lossless` if
    ///     the pace in `reading` is `lossless`, otherwise `latest`.
    ///   - clock: The clock of sources without hardware, such as movies and the test pattern.
    public init(
        _ source: Source, preset: CaptureSession.Preset = .high,
        reading: MovieReadingOptions = MovieReadingOptions(), latePolicy: LateFramePolicy? = nil,
        clock: any CaptureClock = SystemClock()
    ) {
        let settings = Lock(
            Settings(
                source: source, preset: preset, grantedPreset: preset, image: ImageRequest(pixelFormat: .bgra)))
        self.settings = settings
        output = VideoDataOutput(
            name: "extractor", latePolicy: latePolicy ?? (reading.pace == .lossless ? .lossless : .latest),
            imageRequest: { settings.withLock { $0.makesImages ? $0.image : nil } })
        session = CaptureSession(clock: clock, output: output)
        self.reading = reading
    }

    /// Creates an extractor for the first camera of the machine at `position`.
    public convenience init(
        position: CaptureDevice.Position = .unspecified, preset: CaptureSession.Preset = .high
    ) {
        self.init(.position(position), preset: preset)
    }

    /// Creates an extractor for a named source; see ``CaptureDevice/named(_:reading:)-(String,_)``.
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

    /// The frames, for a `for try await` loop. The first loop starts the camera, and the end of the last loop stops the
    /// camera, unless ``start()`` was called.
    ///
    /// The loop throws ``ObscuraError`` when permission is denied, or when the camera cannot be opened or fails.
    public var frames: Frames { Frames(extractor: self) }

    /// Counts of delivered, skipped and dropped frames.
    public var ledger: SessionLedger { session.ledger }

    /// A new stream of the camera's events, such as interruptions and failures, beginning at the time of access.
    public var events: AsyncStream<SessionEvent> { session.events }

    /// Replaces the bridge to the delegate, and returns the former one.
    func exchangeBridge(_ bridge: (any DelegateControl)?) -> (any DelegateControl)? {
        settings.withLock { settings in
            defer { settings.bridge = bridge }
            return settings.bridge
        }
    }

    // MARK: Running

    /// Starts the camera; it runs until ``stop()``.
    ///
    /// - Throws: ``ObscuraError``, such as `notAuthorized`, `noSuchDevice` or `deviceInUse`; `cancelled` if ``stop()``
    ///   was called during the start.
    nonisolated(nonsending) public func start() async throws(ObscuraError) {
        let stops = settings.withLock { settings in
            settings.isStartedByCaller = true
            return settings.stops
        }
        try await open(unlessStoppedSince: stops)
    }

    /// Stops the camera, even while the camera is being opened. Each `for await` loop over ``frames`` ends, and the
    /// last call of the delegate reports ``State/stopped``.
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

    /// Switches to another camera. Existing loops over ``frames`` and the delegate receive the frames of the new
    /// camera, and the counts in ``ledger`` continue. The new camera starts only if the former camera was running.
    ///
    /// - Throws: ``ObscuraError``. After an error, the former camera continues.
    nonisolated(nonsending) public func switchCamera(to source: Source) async throws(ObscuraError) {
        let input = try await makeInput(source)
        try await session.configure { [settings] configuration in
            // All inputs are removed, so that the last of two concurrent switches wins.
            for former in configuration.inputs { configuration.removeInput(former) }
            configuration.preset = settings.withLock { $0.preset }
            try configuration.addInput(input)
        }
        settings.withLock { $0.source = source }
        notePreset()
    }

    /// Switches to the first camera at `position`.
    ///
    /// - Throws: ``ObscuraError``. After an error, the former camera continues.
    nonisolated(nonsending) public func switchCamera(to position: CaptureDevice.Position) async throws(ObscuraError) {
        try await switchCamera(to: .position(position))
    }

    // MARK: Settings

    /// The quality at which the camera runs. If the camera rejects a value, ``events`` reports
    /// ``SessionEvent/refused(_:)``, and the former value remains.
    public var preset: CaptureSession.Preset {
        get { settings.withLock { $0.preset } }
        set {
            settings.withLock { $0.preset = newValue }
            // Without an input, the setting is applied when the camera is opened.
            if !session.inputs.isEmpty { applyPreset() }
        }
    }

    /// The clockwise rotation applied to the upright image.
    public var orientation: Orientation {
        get { settings.withLock { $0.image.orientation } }
        set { settings.withLock { $0.image.orientation = newValue } }
    }

    /// Whether the image is mirrored horizontally. The image is rotated first, then mirrored.
    public var isMirrored: Bool {
        get { settings.withLock { $0.image.isMirrored } }
        set { settings.withLock { $0.image.isMirrored = newValue } }
    }

    /// The effects applied to the upright image, in the order of the array.
    public var effects: [VideoEffect] {
        get { settings.withLock { $0.image.effects } }
        set {
            settings.withLock { $0.image.effects = newValue }
            output.connection.readersHaveEffects(!newValue.isEmpty)
        }
    }

    /// Whether each frame is converted to an image (default: true). If false, ``Frame/image`` is the unchanged buffer
    /// of the camera.
    public var makesImages: Bool {
        get { settings.withLock { $0.makesImages } }
        set { settings.withLock { $0.makesImages = newValue } }
    }

    /// Whether the camera is closed while the session of the user is locked (default: false); see
    /// ``CaptureDeviceInput/pausesWhileLocked``. Applies to the next camera that is opened.
    public var pausesWhileLocked: Bool {
        get { settings.withLock { $0.pausesWhileLocked } }
        set { settings.withLock { $0.pausesWhileLocked = newValue } }
    }

    /// The pixel format of the images (default: BGRA). Setting a compressed format selects BGRA.
    public var pixelFormat: PixelFormat {
        get { settings.withLock { $0.image.pixelFormat } ?? .bgra }
        set { settings.withLock { $0.image.pixelFormat = newValue.isCompressed ? .bgra : newValue } }
    }

    /// The size of the images; nil for the size of the upright frames of the camera.
    public var size: PixelSize? {
        get { settings.withLock { $0.image.size } }
        set { settings.withLock { $0.image.size = newValue } }
    }

    /// The mode of fitting the image into ``size`` if the aspect ratios differ.
    public var fit: ImageRequest.Fit {
        get { settings.withLock { $0.image.fit } }
        set { settings.withLock { $0.image.fit = newValue } }
    }
}

// MARK: - Opening

extension FrameExtractor {
    /// Adds a loop; waits for a stop in progress, so that it does not end the new loop.
    nonisolated(nonsending) func joinLoop() async -> (frames: VideoDataOutput.Frames.Iterator, stops: Int) {
        let stops = settings.withLock { settings in
            settings.openLoops += 1
            return settings.stops
        }
        await session.settle()
        if !session.isRunning { output.awaitStart() }
        return (output.frames.makeAsyncIterator(), stops)
    }

    /// Removes a loop; the last one stops the camera.
    func leaveLoop() {
        settings.withLock { $0.openLoops -= 1 }
        session.stopSoon { [settings] in settings.withLock { $0.openLoops == 0 && !$0.isStartedByCaller } }
    }

    /// Cancels the opening of the camera for a cancelled loop, unless others need it.
    func cancelOpening() {
        session.stopSoon { [settings] in settings.withLock { $0.openLoops <= 1 && !$0.isStartedByCaller } }
    }

    /// Opens and starts the camera, unless it has been stopped since.
    nonisolated(nonsending) func open(unlessStoppedSince stops: Int) async throws(ObscuraError) {
        if session.inputs.isEmpty {
            let input = try await makeInput(settings.withLock { $0.source })
            try await session.configure { [settings] configuration in
                // The first of several concurrent callers adds the input.
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

    /// Records the preset applied to the session, and applies a setting that has changed in the meantime.
    private func notePreset() {
        let preset = session.preset
        let isOther = settings.withLock { settings in
            settings.grantedPreset = preset
            return settings.preset != preset
        }
        if isOther { applyPreset() }
    }

    nonisolated(nonsending) private func makeInput(_ source: Source) async throws(ObscuraError) -> CaptureDeviceInput {
        let (reading, pausesWhileLocked) = (reading, pausesWhileLocked)
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
                return try CaptureDeviceInput(device: device, pausesWhileLocked: pausesWhileLocked)
            }
        }.get()
    }

    /// Applies the preset that is set when the change runs, so that the last of several values wins.
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
