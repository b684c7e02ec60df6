// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a driver: describes one device and runs it.
///
/// Sessions use devices only through it. A driver is cheap to create and accesses its device no more than its
/// description requires; opening happens in ``CaptureRun/start()``.
///
/// What it says of its device (``formats``, ``supports(_:)``, ``authorizationStatus`` …) is asked on the
/// session's control thread, behind which a stop waits: it must answer within a bounded time, also when the
/// device does not. So must ``makeDecoder(for:)``.
public protocol CaptureDriver: Sendable {
    /// A name for the device that stays the same across restarts; see ``CaptureDevice/uniqueID``.
    var uniqueID: String { get }
    /// The name to show to people.
    var localizedName: String { get }
    /// The same for all devices of one model; nil where there is no such thing.
    var modelID: String? { get }
    /// Who made the device, for people; nil where that is not known.
    var manufacturer: String? { get }
    var deviceType: CaptureDevice.DeviceType { get }
    /// Where the system has the device, such as `/dev/video0`; nil where there is no such place.
    var path: String? { get }
    var position: CaptureDevice.Position { get }
    /// What the device gives; both for a film with sound.
    var mediaTypes: Set<MediaType> { get }
    /// The modes of the device; empty when it tells only once it runs (a network address), or does not answer.
    var formats: [VideoFormat] { get }
    /// In which forms it gives sound, its own choice first; empty when it gives none, or tells only once it runs.
    var audioFormats: [AudioFormat] { get }
    /// Whether the device can run in a mode; of a range of sizes not every one is among ``formats``.
    func supports(_ format: VideoFormat) -> Bool
    /// Whether frames come on the device's own time. A file that is read as fast as it is taken is not live.
    var isLive: Bool { get }
    var authorizationStatus: AuthorizationStatus { get }
    /// How the user gets the right to use the device, as a sentence; nil where nothing is known about it.
    var accessRemedy: Remedy? { get }
    /// Asks the user, where there is somebody to ask. May suspend for as long as that takes.
    func requestAccess() async -> Bool
    /// One run of the device. Must not touch the device yet.
    ///
    /// - Parameters:
    ///   - request: how it is to run.
    ///   - sink: where everything that happens is told.
    ///   - clock: by which a driver without hardware keeps time.
    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun
    /// A decoder for frames that refer to others, as a camera with H.264 gives them; nil if there is none. They
    /// are decoded on a thread of the session's own, before they are handed out.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
    /// A converter of the device's sound; nil if the driver was given none.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)?
    /// Opens the device's controls. Does not affect a run of the device, and needs none.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedControl`` for a kind of device that has none, and what opening it
    ///   says.
    func openControls() throws(ObscuraError) -> any DeviceControls
}

extension CaptureDriver {
    /// Not known.
    public var modelID: String? { nil }
    /// Not known.
    public var manufacturer: String? { nil }
    /// Nowhere.
    public var path: String? { nil }
    /// Not a device of metal.
    public var deviceType: CaptureDevice.DeviceType { .virtual }
    /// Not known.
    public var position: CaptureDevice.Position { .unspecified }
    /// Pictures alone.
    public var mediaTypes: Set<MediaType> { [.video] }
    /// It gives no sound.
    public var audioFormats: [AudioFormat] { [] }
    /// Cameras are live.
    public var isLive: Bool { true }
    /// Nobody has to be asked.
    public var authorizationStatus: AuthorizationStatus { .authorized }
    /// Not known.
    public var accessRemedy: Remedy? { nil }
    /// The listed modes; all of them where none is listed.
    public func supports(_ format: VideoFormat) -> Bool { formats.isEmpty || formats.contains(format) }
    /// A device without controls.
    public func openControls() throws(ObscuraError) -> any DeviceControls {
        throw ObscuraError(.capture, .unsupportedControl, subject: localizedName, reason: "it has no controls")
    }
    /// There is nobody to ask: what holds, holds.
    public func requestAccess() async -> Bool { authorizationStatus == .authorized }
    /// There is none: the pictures come uncompressed, or each by itself.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { nil }
    /// There is none: the sound is what it is.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? { nil }
}

/// How a device is to run.
public struct RunRequest: Sendable, Hashable {
    /// One of the device's modes, or nil for its own choice.
    public var videoFormat: VideoFormat?
    /// The form in which it is to give sound, or nil for its own choice. A device may answer with another one.
    public var audioFormat: AudioFormat?
    /// Whether a device that another process has is waited for. Such a run starts at once, tells of the
    /// interruption, and goes on when the device is free.
    public var startsWhenAvailable: Bool

    /// As the device likes, unless it is said otherwise.
    public init(
        videoFormat: VideoFormat? = nil, audioFormat: AudioFormat? = nil, startsWhenAvailable: Bool = false
    ) {
        self.videoFormat = videoFormat
        self.audioFormat = audioFormat
        self.startsWhenAvailable = startsWhenAvailable
    }
}

/// The forms in which a device really gives pictures and sound; nil where it gives none.
public struct SourceFormat: Sendable, Hashable {
    /// How its pictures come.
    public var video: VideoFormat?
    /// How its sound comes.
    public var audio: AudioFormat?

    /// What a device gives.
    public init(video: VideoFormat? = nil, audio: AudioFormat? = nil) {
        self.video = video
        self.audio = audio
    }
}

/// One run of a device, from its opening to its end.
public protocol CaptureRun: AnyObject, Sendable {
    /// Opens the device and starts the frames, on a thread of the run's own. Blocks until the device runs,
    /// has refused, or ``cancel()`` was called; called once, on the session's control thread. The session sets
    /// no limit of its own: a run gives up on a device that does not answer.
    ///
    /// - Returns: what really runs.
    /// - Throws: ``ObscuraError``.
    func start() throws -> SourceFormat
    /// Makes ``start()`` and every wait of the run give up soon. Any thread, any time; does not block.
    func cancel()
    /// As ``cancel()``, and blocks until the sink is called no more, for at most 2 s. Idempotent. Buffers
    /// that readers still hold stay valid.
    func stop()
}

/// Where a run tells what happens. Called by one thread of the run at a time.
public protocol CaptureSink: AnyObject, Sendable {
    /// A frame has come. Blocks while a lossless reader is behind.
    ///
    /// - Parameter buffersLeft: how many buffers the device still has to fill, this one not counted; nil
    ///   where it takes new memory for each. Below two, the frame is copied and its buffer goes back.
    func receive(_ frame: VideoFrame, buffersLeft: Int?)
    /// A compressed frame has come. Blocks while a lossless reader is behind.
    func receive(_ frame: EncodedFrame)
    /// Sound has come. Blocks while a lossless reader is behind.
    func receive(_ sound: AudioBuffer)
    /// Whether anybody takes sound at this moment. A film need not decode its sound for nobody. Where a frame
    /// would wait because nobody reads yet, so does the answer: then it holds from the first sample on.
    var wantsAudio: Bool { get }
    /// The device delivered a frame and flagged it as broken.
    ///
    /// - Parameters:
    ///   - sequence: its number, as a frame has one; nil where the device does not number such frames: then it
    ///     is taken for the one after the last.
    ///   - gap: how many are missing before it; counts for the first frame of a run alone, as a frame's own.
    func loseFrame(sequence: UInt64?, gap: UInt64)
    /// No frames come for a while; the run goes on trying.
    func interrupted(_ reason: InterruptionReason)
    /// Frames come again.
    func resumed()
    /// No more frames will come: the end of a file (nil), or what ended it.
    func finish(throwing error: ObscuraError?)
    /// Memory for frames, bounded: asking throws when readers hold as many as they may.
    var pool: PixelBufferPool { get }
}

extension CaptureSink {
    /// A broken frame before which nothing is missing that its number does not tell.
    public func loseFrame(sequence: UInt64?) { loseFrame(sequence: sequence, gap: 0) }
    /// A broken frame without a number.
    public func loseFrame() { loseFrame(sequence: nil, gap: 0) }
}

/// Why frames stopped coming while the session wants them.
public enum InterruptionReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The device was unplugged, or the connection was lost.
    case deviceDisconnected
    /// The device is there and gives no frames.
    case stalled
    /// Another process has it.
    case deviceInUse
    /// The device broke its stream off, and is being started again.
    case streamFailed
}

/// Whether this process may use a kind of device.
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// Nobody has been asked yet.
    case notDetermined
    /// A policy of the machine forbids it, and nobody can be asked.
    case restricted
    /// The user, or the device's file rights, said no.
    case denied
    case authorized
}
