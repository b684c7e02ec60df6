// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a driver: describes one device and runs it.
///
/// Sessions use devices only through it. A driver is cheap to create and accesses its device no more than its
/// description requires; opening happens in ``CaptureRun/start()``.
///
/// The properties of the device (``formats``, ``supports(_:)``, ``authorizationStatus`` …) are queried on the session's
/// control thread, for which `stop()` waits: they must return within a bounded time, even if the device does not
/// respond. So must ``makeDecoder(for:)``.
public protocol CaptureDriver: Sendable {
    /// The unique id, the same after a restart; see ``CaptureDevice/uniqueID``.
    var uniqueID: String { get }
    /// The display name.
    var localizedName: String { get }
    /// The model; nil if there is none.
    var modelID: String? { get }
    /// The manufacturer's display name; nil if unknown.
    var manufacturer: String? { get }
    /// The kind of device, such as an external camera.
    var deviceType: CaptureDevice.DeviceType { get }
    /// The device's path, such as `/dev/video0`; nil if there is none.
    var path: String? { get }
    /// The direction that a camera faces; `unspecified` if unknown.
    var position: CaptureDevice.Position { get }
    /// The media that it delivers; both for a movie with sound.
    var mediaTypes: Set<MediaType> { get }
    /// The modes of the device; empty if they are known only while it runs (a network address), or it does not respond.
    var formats: [VideoFormat] { get }
    /// The audio formats, the device's own choice first; empty without sound, or if they are known only while it runs.
    var audioFormats: [AudioFormat] { get }
    /// Whether the device supports a mode; ``formats`` need not list every size of a range.
    func supports(_ format: VideoFormat) -> Bool
    /// Whether the device determines the time of frames. A file that is read as fast as possible is not live.
    var isLive: Bool { get }
    /// The current permission of this process to use the device. Must not ask the user.
    var authorizationStatus: AuthorizationStatus { get }
    /// The way to get the permission; nil if unknown.
    var accessRemedy: Remedy? { get }
    /// Requests permission from the user, if possible. Suspends until the response, and returns whether the process may
    /// use the device.
    func requestAccess() async -> Bool
    /// Makes a run of the device. Must not access the device yet.
    ///
    /// - Parameters:
    ///   - request: the requested formats.
    ///   - sink: the destination of frames, sound and events.
    ///   - clock: the clock of a driver without hardware.
    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun
    /// Returns a decoder for inter-coded frames, such as those of an H.264 camera; nil if there is none. The frames are
    /// decoded on a thread of the session before delivery.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
    /// Returns a converter of the device's sound; nil if the driver has none.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)?
    /// Opens the device's controls. Does not affect a run of the device, and needs none.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedControl`` for a kind of device without controls, and errors of opening
    ///   it.
    func openControls() throws(ObscuraError) -> any DeviceControls
}

extension CaptureDriver {
    /// Unknown.
    public var modelID: String? { nil }
    /// Unknown.
    public var manufacturer: String? { nil }
    /// No path.
    public var path: String? { nil }
    /// A virtual device.
    public var deviceType: CaptureDevice.DeviceType { .virtual }
    /// Unknown.
    public var position: CaptureDevice.Position { .unspecified }
    /// Frames only.
    public var mediaTypes: Set<MediaType> { [.video] }
    /// No sound.
    public var audioFormats: [AudioFormat] { [] }
    /// Cameras are live.
    public var isLive: Bool { true }
    /// No permission is required.
    public var authorizationStatus: AuthorizationStatus { .authorized }
    /// Unknown.
    public var accessRemedy: Remedy? { nil }
    /// Returns whether the mode is listed; true for every mode if none is listed.
    public func supports(_ format: VideoFormat) -> Bool { formats.isEmpty || formats.contains(format) }
    /// Throws ``ObscuraError/Code/unsupportedControl``: the device has no controls.
    public func openControls() throws(ObscuraError) -> any DeviceControls {
        throw ObscuraError(.capture, .unsupportedControl, subject: localizedName, reason: "it has no controls")
    }
    /// Returns whether the process may already use the device; requests nothing.
    public func requestAccess() async -> Bool { authorizationStatus == .authorized }
    /// Returns nil: frames are uncompressed or intra-only.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { nil }
    /// Returns nil: the driver has no converter.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? { nil }
}

/// The requested formats of a run.
public struct RunRequest: Sendable, Hashable {
    /// One of the device's modes, or nil for its own choice.
    public var videoFormat: VideoFormat?
    /// The requested audio format, or nil for the device's own choice. The device may use another one.
    public var audioFormat: AudioFormat?
    /// Whether to wait for a device that another process uses. Such a run starts at once, reports the interruption, and
    /// continues when the device is free.
    public var startsWhenAvailable: Bool

    /// Creates a request; nil leaves a format to the device's own choice.
    public init(
        videoFormat: VideoFormat? = nil, audioFormat: AudioFormat? = nil, startsWhenAvailable: Bool = false
    ) {
        self.videoFormat = videoFormat
        self.audioFormat = audioFormat
        self.startsWhenAvailable = startsWhenAvailable
    }
}

/// The actual formats of a running device. A property is nil if the device does not deliver that media type.
public struct SourceFormat: Sendable, Hashable {
    /// The video format.
    public var video: VideoFormat?
    /// The audio format.
    public var audio: AudioFormat?

    /// Creates the formats of a device.
    public init(video: VideoFormat? = nil, audio: AudioFormat? = nil) {
        self.video = video
        self.audio = audio
    }
}

/// One run of a device, from its opening to its end.
public protocol CaptureRun: AnyObject, Sendable {
    /// Opens the device and starts its stream on a separate thread. Blocks until the device runs or failed, or
    /// ``cancel()`` was called; called once, on the session's control thread. The session sets no time limit: a run
    /// must end by itself if the device does not respond.
    ///
    /// - Returns: the actual formats.
    /// - Throws: ``ObscuraError``.
    func start() throws -> SourceFormat
    /// Ends ``start()`` and all waits of the run soon. On any thread, at any time; does not block.
    func cancel()
    /// As ``cancel()``, and blocks until the last call of the sink has returned, for at most 2 s. Idempotent. Buffers
    /// that readers hold remain valid.
    func stop()
}

/// The destination of a run's frames, sound and events. Called on one thread at a time.
public protocol CaptureSink: AnyObject, Sendable {
    /// Receives a frame. Blocks while a lossless reader is late.
    ///
    /// - Parameters:
    ///   - frame: the frame; its buffer returns to the driver when the last reader releases it.
    ///   - buffersLeft: the number of buffers that the device can still fill, without this one; nil if it allocates
    ///     memory for each frame. Below two, the frame is copied and its buffer released.
    func receive(_ frame: VideoFrame, buffersLeft: Int?)
    /// Receives a compressed frame. Blocks while a lossless reader is late.
    func receive(_ frame: EncodedFrame)
    /// Receives sound. Blocks while a lossless reader is late.
    func receive(_ sound: AudioBuffer)
    /// Whether there are readers of sound; a movie need not decode its sound otherwise. Before the first reader is
    /// attached, it blocks as a frame does, so that the value holds from the first sample on.
    var wantsAudio: Bool { get }
    /// Reports a frame that the device flagged as damaged.
    ///
    /// - Parameters:
    ///   - sequence: the frame number; nil if the device does not number such frames: then the next number is used.
    ///   - gap: the number of frames missing before it; used for the first frame of a run only, as for frames.
    func loseFrame(sequence: UInt64?, gap: UInt64)
    /// Reports that no frames arrive; the run continues its attempts.
    func interrupted(_ reason: InterruptionReason)
    /// Reports that frames arrive again.
    func resumed()
    /// Ends the run: nil at the end of a file, otherwise the error.
    func finish(throwing error: ObscuraError?)
    /// Bounded memory for frames: an allocation throws when readers hold the maximum.
    var pool: PixelBufferPool { get }
}

extension CaptureSink {
    /// Reports a damaged frame without a gap before it.
    public func loseFrame(sequence: UInt64?) { loseFrame(sequence: sequence, gap: 0) }
    /// Reports a damaged frame without a number.
    public func loseFrame() { loseFrame(sequence: nil, gap: 0) }
}

/// The reason why a running device delivers no frames.
public enum InterruptionReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The device was disconnected, or the connection was lost.
    case deviceDisconnected
    /// The device is connected but delivers no frames.
    case stalled
    /// Another process uses it.
    case deviceInUse
    /// The device ended its stream and is being restarted.
    case streamFailed
}

/// The permission of this process to use a device.
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// Permission was not requested yet.
    case notDetermined
    /// A policy of the machine forbids it; permission cannot be requested.
    case restricted
    /// The user, or the file permissions of the device, deny it.
    case denied
    /// The process may use the device.
    case authorized
}
