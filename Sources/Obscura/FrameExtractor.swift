// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraImaging
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

    private struct Wishes {
        var source: Source
        var preset: CaptureSession.Preset
        /// The preset that the session has taken.
        var grantedPreset: CaptureSession.Preset
        var image: ImageRequest
        var input: CaptureDeviceInput?
        var openLoops = 0
        var isStartedByCaller = false
        var bridge: DelegateBridge?
    }

    let session: CaptureSession
    let output: VideoDataOutput
    private let reading: MovieReadingOptions
    private let wishes: Lock<Wishes>
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
        session = CaptureSession(clock: clock)
        output = VideoDataOutput(
            name: "extractor", lateFrames: lateFrames ?? (reading.pace == .lossless ? .lossless : .latest),
            deliversUpright: false)
        self.reading = reading
        wishes = Lock(
            Wishes(
                source: source, preset: preset, grantedPreset: preset, image: ImageRequest(pixelFormat: .bgra)))
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
        wishes.withLock { $0.bridge }?.end()
    }

    // MARK: Reading

    /// The frames, for a `for try await` loop. The camera starts with the first loop, and stops when the
    /// last one ends, unless ``start()`` was called.
    ///
    /// The loop throws ``CaptureError`` when permission is denied, the camera cannot be opened, or fails.
    public var frames: Frames { Frames(extractor: self) }

    /// Where every frame went.
    public var ledger: SessionLedger { session.ledger }

    /// What happens to the camera, from now on.
    public var events: AsyncStream<SessionEvent> { session.events }

    /// Has the delegate called on the main actor for each frame; every conversion is done elsewhere. Nil
    /// takes it away. The extractor does not keep the delegate alive, and does not start by itself.
    @MainActor
    public func setDelegate(_ delegate: (any FrameExtractorDelegate)?) {
        let bridge = delegate.map { DelegateBridge(extractor: self, delegate: $0) }
        let former = wishes.withLock { wishes in
            defer { wishes.bridge = bridge }
            return wishes.bridge
        }
        former?.end()
        output.setDelegate(bridge)
        bridge?.begin()
    }

    // MARK: Running

    /// Starts the camera; it runs until ``stop()``.
    ///
    /// - Throws: ``CaptureError``: `notAuthorized`, `noSuchDevice`, `deviceInUse` and others.
    public func start() async throws(CaptureError) {
        wishes.withLock { $0.isStartedByCaller = true }
        try await open()
    }

    /// Stops the camera. Afterwards no callback begins, and loops end.
    public func stop() async {
        wishes.withLock { $0.isStartedByCaller = false }
        await session.stop()
    }

    /// Whether the camera runs.
    public var isRunning: Bool { session.isRunning }

    /// Takes another camera; loops, the delegate and their accounts go on. Runs or not as before.
    ///
    /// - Throws: ``CaptureError``; then the former camera goes on.
    public func switchCamera(to source: Source) async throws(CaptureError) {
        let input = try await makeInput(source)
        let former = wishes.withLock { $0.input }
        try await session.configure {
            if let former { $0.removeInput(former) }
            try $0.addInput(input)
        }
        wishes.withLock { wishes in
            wishes.source = source
            wishes.input = input
        }
    }

    /// Takes the first camera that looks to `position`.
    ///
    /// - Throws: ``CaptureError``; then the former camera goes on.
    public func switchCamera(to position: CaptureDevice.Position) async throws(CaptureError) {
        try await switchCamera(to: .position(position))
    }

    // MARK: Wishes

    /// The quality at which the camera runs. A refusal comes as ``SessionEvent/refused(_:)`` and leaves the
    /// old value.
    public var preset: CaptureSession.Preset {
        get { wishes.withLock { $0.preset } }
        set {
            wishes.withLock { $0.preset = newValue }
            guard wishes.withLock({ $0.input }) != nil else { return }
            Task { await applyPreset() }
        }
    }

    /// The turn of the upright picture, clockwise.
    public var orientation: Orientation {
        get { wishes.withLock { $0.image.orientation } }
        set { wishes.withLock { $0.image.orientation = newValue } }
    }

    /// Whether left and right change places.
    public var isMirrored: Bool {
        get { wishes.withLock { $0.image.isMirrored } }
        set { wishes.withLock { $0.image.isMirrored = newValue } }
    }

    /// The format of the images; BGRA unless set.
    public var pixelFormat: PixelFormat {
        get { wishes.withLock { $0.image.pixelFormat } ?? .bgra }
        set { wishes.withLock { $0.image.pixelFormat = newValue.isCompressed ? .bgra : newValue } }
    }

    /// The size of the images; nil keeps the camera's.
    public var size: PixelSize? {
        get { wishes.withLock { $0.image.size } }
        set { wishes.withLock { $0.image.size = newValue } }
    }

    /// How the picture meets a ``size`` of another shape.
    public var fit: ImageRequest.Fit {
        get { wishes.withLock { $0.image.fit } }
        set { wishes.withLock { $0.image.fit = newValue } }
    }
}

// MARK: - Opening

extension FrameExtractor {
    /// One loop more: waits for a stop that is under way, so that it does not end the new loop.
    func joinLoop() async -> VideoDataOutput.Frames.Iterator {
        wishes.withLock { $0.openLoops += 1 }
        await session.settle()
        return output.frames.makeAsyncIterator()
    }

    /// One loop less; the last one stops the camera.
    func leaveLoop() {
        let wishes = wishes
        wishes.withLock { $0.openLoops -= 1 }
        Task { [session] in
            await session.stop { wishes.withLock { $0.openLoops == 0 && !$0.isStartedByCaller } }
        }
    }

    func open() async throws(CaptureError) {
        if wishes.withLock({ $0.input }) == nil {
            let (source, preset) = wishes.withLock { ($0.source, $0.preset) }
            let input = try await makeInput(source)
            try await session.configure { [output] in
                // Whoever comes first has it.
                guard $0.inputs.isEmpty else { return }
                $0.preset = preset
                try $0.addInput(input)
                if $0.outputs.isEmpty { try $0.addOutput(output) }
            }
            wishes.withLock { wishes in
                wishes.input = session.inputs.first
                wishes.grantedPreset = preset
            }
        }
        try await session.start()
    }

    /// The image of a frame, as it is wished at this moment.
    var imageRequest: ImageRequest { wishes.withLock { $0.image } }

    private func makeInput(_ source: Source) async throws(CaptureError) -> CaptureDeviceInput {
        let reading = reading
        return try await opener.run {
            Result { () throws(CaptureError) in
                let device =
                    switch source {
                    case .device(let device): device
                    case .named(let name): try CaptureDevice.named(name, reading: reading)
                    case .position(let position):
                        if let device = CaptureDevice.default(for: .video, position: position) {
                            device
                        } else {
                            throw CaptureError.noCamera(position == .unspecified ? "" : position.rawValue)
                        }
                    }
                return try CaptureDeviceInput(device: device)
            }
        }.get()
    }

    /// Takes whatever preset is wished when its turn comes, so that of many the last one wins.
    private func applyPreset() async {
        let tried = Lock(CaptureSession.Preset.high)
        do throws(CaptureError) {
            try await session.configure { [wishes] configuration in
                let wish = wishes.withLock { $0.preset }
                tried.withLock { $0 = wish }
                configuration.preset = wish
            }
            wishes.withLock { $0.grantedPreset = tried.withLock { $0 } }
        } catch {
            let refused = tried.withLock { $0 }
            wishes.withLock { wishes in
                if wishes.preset == refused { wishes.preset = wishes.grantedPreset }
            }
            session.announce(.refused(error))
        }
    }
}
