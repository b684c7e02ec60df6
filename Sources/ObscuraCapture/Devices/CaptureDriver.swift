// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a driver: describes one device and runs it.
///
/// Sessions use devices only through it. A driver is cheap to create and accesses its device no more than its
/// description requires; opening happens in ``CaptureRun/start()``.
///
/// The properties of the device (``formats``, ``supports(_:)``, ``authorizationStatus`` …) and
/// ``makeDecoder(for:)`` are called on the session's control thread, and a stop waits behind them: they must
/// return within a bounded time, even if the device does not respond.
public protocol CaptureDriver: Sendable {
    /// A name of the device that stays the same across restarts; see ``CaptureDevice/uniqueID``.
    var uniqueID: String { get }
    /// The display name.
    var localizedName: String { get }
    /// An identifier that all devices of one model share; nil if there is none.
    var modelID: String? { get }
    /// The display name of the manufacturer; nil if unknown.
    var manufacturer: String? { get }
    var deviceType: CaptureDevice.DeviceType { get }
    /// The path of the device in the system, such as `/dev/video0`; nil if there is none.
    var path: String? { get }
    var position: CaptureDevice.Position { get }
    /// The types of media that the device delivers; both for a movie with sound.
    var mediaTypes: Set<MediaType> { get }
    /// The modes of the device; empty if they are known only while it runs (a network address), or if it
    /// does not respond.
    var formats: [VideoFormat] { get }
    /// The audio formats, the preferred one first; empty without sound, or if they are known only while the
    /// device runs.
    var audioFormats: [AudioFormat] { get }
    /// Whether the device can run in a mode; ``formats`` does not list every size of a range.
    func supports(_ format: VideoFormat) -> Bool
    /// Whether the device determines the time of its frames. A file that is read as fast as its frames are
    /// consumed is not live.
    var isLive: Bool { get }
    var authorizationStatus: AuthorizationStatus { get }
    /// The way for the user to get access to the device; nil if unknown.
    var accessRemedy: Remedy? { get }
    /// Asks the user for access, if possible. May suspend until the user answers.
    func requestAccess() async -> Bool
    /// Creates one run of the device. Must not access the device yet.
    ///
    /// - Parameters:
    ///   - request: the formats and options of the run.
    ///   - sink: the receiver of frames and events.
    ///   - clock: the time source of a driver without hardware.
    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun
    /// Creates a decoder for frames that depend on others, such as a camera's H.264; nil if the driver has
    /// none. Frames are decoded on a thread of the session before they are delivered.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
    /// Creates a converter of the device's sound; nil if the driver has none.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)?
    /// Opens the device's controls. Does not affect a run of the device, and needs none.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedControl`` for a kind of device without controls, and errors
    ///   of opening it.
    func openControls() throws(ObscuraError) -> any DeviceControls
}

extension CaptureDriver {
    /// Unknown.
    public var modelID: String? { nil }
    /// Unknown.
    public var manufacturer: String? { nil }
    /// None.
    public var path: String? { nil }
    /// Virtual.
    public var deviceType: CaptureDevice.DeviceType { .virtual }
    /// Unspecified.
    public var position: CaptureDevice.Position { .unspecified }
    /// Video only.
    public var mediaTypes: Set<MediaType> { [.video] }
    /// No sound.
    public var audioFormats: [AudioFormat] { [] }
    /// Cameras are live.
    public var isLive: Bool { true }
    /// Authorized: access is not restricted.
    public var authorizationStatus: AuthorizationStatus { .authorized }
    /// Unknown.
    public var accessRemedy: Remedy? { nil }
    /// Whether the mode is listed; true if no modes are listed.
    public func supports(_ format: VideoFormat) -> Bool { formats.isEmpty || formats.contains(format) }
    /// Throws `unsupportedControl`: the device has no controls.
    public func openControls() throws(ObscuraError) -> any DeviceControls {
        throw ObscuraError(.capture, .unsupportedControl, subject: localizedName, reason: "it has no controls")
    }
    /// Returns the current status without asking.
    public func requestAccess() async -> Bool { authorizationStatus == .authorized }
    /// Returns nil: the frames are uncompressed, or each is compressed independently.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { nil }
    /// Returns nil: the sound is not converted.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? { nil }
}

/// The formats and options of a run.
public struct RunRequest: Sendable, Hashable {
    /// One of the device's modes, or nil for the device's own choice.
    public var videoFormat: VideoFormat?
    /// The requested audio format, or nil for the device's own choice. The device may deliver another one.
    public var audioFormat: AudioFormat?
    /// Whether to wait for a device that another process uses. Such a run starts at once, reports the
    /// interruption, and continues when the device is free.
    public var startsWhenAvailable: Bool

    /// Creates a request that leaves everything unspecified to the device.
    public init(
        videoFormat: VideoFormat? = nil, audioFormat: AudioFormat? = nil, startsWhenAvailable: Bool = false
    ) {
        self.videoFormat = videoFormat
        self.audioFormat = audioFormat
        self.startsWhenAvailable = startsWhenAvailable
    }
}

/// The actual video and audio formats of a run; nil for a type that the device does not deliver.
public struct SourceFormat: Sendable, Hashable {
    /// The format of the video.
    public var video: VideoFormat?
    /// The format of the sound.
    public var audio: AudioFormat?

    /// Creates a description of the actual formats.
    public init(video: VideoFormat? = nil, audio: AudioFormat? = nil) {
        self.video = video
        self.audio = audio
    }
}

/// One run of a device, from its opening to its end.
public protocol CaptureRun: AnyObject, Sendable {
    /// Opens the device and starts the frames, on a thread of the run's own. Blocks until the device runs,
    /// has failed, or ``cancel()`` was called; called once, on the session's control thread. The session
    /// sets no time limit: the run must time out if the device does not respond.
    ///
    /// - Returns: the actual formats.
    /// - Throws: ``ObscuraError``.
    func start() throws -> SourceFormat
    /// Ends ``start()`` and every wait of the run soon. Any thread, any time; does not block.
    func cancel()
    /// Cancels as ``cancel()`` does, and blocks until the sink is no longer called, for at most 2 s.
    /// Idempotent. Buffers that readers still hold stay valid.
    func stop()
}

/// The receiver of a run's frames and events. Called by one thread of the run at a time.
public protocol CaptureSink: AnyObject, Sendable {
    /// Receives a frame. Blocks while a lossless reader is behind.
    ///
    /// - Parameter buffersLeft: the number of buffers that the device can still fill, without this one; nil
    ///   if it allocates memory for each frame. Below two, the frame is copied and its buffer is returned
    ///   to the device.
    func receive(_ frame: VideoFrame, buffersLeft: Int?)
    /// Receives a compressed frame. Blocks while a lossless reader is behind.
    func receive(_ frame: EncodedFrame)
    /// Receives sound. Blocks while a lossless reader is behind.
    func receive(_ sound: AudioBuffer)
    /// Whether any reader consumes sound at this moment; if not, a movie's sound need not be decoded.
    /// Blocks as a frame does while no reader has been opened yet, so that the result holds from the first
    /// sample on.
    var wantsAudio: Bool { get }
    /// Records a frame that the device delivered and flagged as broken.
    ///
    /// - Parameters:
    ///   - sequence: the sequence number of the frame; nil if the device does not number such frames: then
    ///     the number after the last one is assumed.
    ///   - gap: the number of frames missing before it; used only for the first frame of a run, as a
    ///     frame's own gap is.
    func loseFrame(sequence: UInt64?, gap: UInt64)
    /// Reports that frames have stopped for now; the run keeps trying.
    func interrupted(_ reason: InterruptionReason)
    /// Reports that frames have started again.
    func resumed()
    /// Reports that no more frames follow: at the end of a file (nil), or because of an error.
    func finish(throwing error: ObscuraError?)
    /// A bounded pool of memory for frames: allocation throws when readers hold the maximum.
    var pool: PixelBufferPool { get }
}

extension CaptureSink {
    /// Records a broken frame with no missing frames before it beyond those that its number implies.
    public func loseFrame(sequence: UInt64?) { loseFrame(sequence: sequence, gap: 0) }
    /// Records a broken frame without a sequence number.
    public func loseFrame() { loseFrame(sequence: nil, gap: 0) }
}

/// The reason why a running session gets no frames.
public enum InterruptionReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The device was unplugged, or the connection was lost.
    case deviceDisconnected
    /// The device is connected but delivers no frames.
    case stalled
    /// Another process uses the device.
    case deviceInUse
    /// The device ended its stream, and is being restarted.
    case streamFailed
}

/// Whether this process may use a kind of device.
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The user has not been asked yet.
    case notDetermined
    /// A policy of the system forbids it, and the user cannot be asked.
    case restricted
    /// The user, or the permissions of the device file, denied access.
    case denied
    case authorized
}
