// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The driver of one device: describes the device and runs it.
///
/// Sessions use devices only through this protocol. A driver must be cheap to create; the device is opened in
/// ``CaptureRun/start()``.
///
/// The properties, ``supports(_:)`` and ``makeDecoder(for:)`` must return within a bounded time, even if the device
/// does not respond. The session calls these members on its control thread, and ``CaptureSession/stop()`` waits for
/// the control thread.
public protocol CaptureDriver: Sendable {
    /// The unique id, the same after a restart; see ``CaptureDevice/uniqueID``.
    var uniqueID: String { get }
    /// The display name.
    var localizedName: String { get }
    /// The model, such as `046d:0825` on USB; nil if unknown.
    var modelID: String? { get }
    /// The manufacturer's display name; nil if unknown.
    var manufacturer: String? { get }
    /// The kind of device, such as an external camera.
    var deviceType: CaptureDevice.DeviceType { get }
    /// The path of the device, such as `/dev/video0`; nil if the device has no path.
    var path: String? { get }
    /// The direction that a camera faces; `unspecified` if unknown.
    var position: CaptureDevice.Position { get }
    /// The media types that the device delivers. For example, a movie with sound delivers video and audio.
    var mediaTypes: Set<MediaType> { get }
    /// The video modes of the device: its combinations of pixel format, size and frame rate. Empty if the modes are
    /// known only while the device runs, as with a network address, or if the device does not respond.
    var formats: [VideoFormat] { get }
    /// The audio formats of the device, the default format first. Empty if the device delivers no sound, or if the
    /// formats are known only while the device runs.
    var audioFormats: [AudioFormat] { get }
    /// Whether the device supports a mode. The mode need not be in ``formats``, for example if the device supports
    /// every size within a range.
    func supports(_ format: VideoFormat) -> Bool
    /// Whether frames arrive in real time. A file that is read as fast as possible is not live.
    var isLive: Bool { get }
    /// The current permission of this process to use the device. Reading the property must not ask the user.
    var authorizationStatus: AuthorizationStatus { get }
    /// The reason for a missing permission; nil if the permission is granted, or if the reason is unknown.
    var accessReason: AccessReason? { get }
    /// The remedy that errors suggest if this process has no permission to use the device; nil if unknown.
    var accessRemedy: Remedy? { get }
    /// The driver of a camera, and the reason for its choice; nil for other devices.
    var driverSelection: CameraDriverSelection? { get }
    /// Requests permission from the user, if possible. Suspends until the user has answered, and returns whether the
    /// process may use the device.
    func requestAccess() async -> Bool
    /// Creates a run of the device. Must not access the device yet.
    ///
    /// - Parameters:
    ///   - request: the requested formats.
    ///   - sink: the destination of frames, sound and events.
    ///   - clock: the clock by which a driver without hardware times its frames.
    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun
    /// Returns a decoder for inter-coded frames, such as the frames of an H.264 camera; nil if the driver has no
    /// decoder for the format. The frames are decoded on a thread of the session before delivery.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
    /// Returns a converter for the sound of the device; nil if the driver has no converter.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)?
    /// Opens the controls of the device. The device need not be running; if the device is running, its stream
    /// continues.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedControl`` if this kind of device has no controls, and the errors of
    ///   opening the device.
    func openControls() throws(ObscuraError) -> any DeviceControls
}

extension CaptureDriver {
    /// The default implementation, for an unknown model. Returns nil.
    public var modelID: String? { nil }
    /// The default implementation, for an unknown manufacturer. Returns nil.
    public var manufacturer: String? { nil }
    /// The default implementation, for devices without a path. Returns nil.
    public var path: String? { nil }
    /// The default implementation, for virtual devices. Returns `virtual`.
    public var deviceType: CaptureDevice.DeviceType { .virtual }
    /// The default implementation, for an unknown position. Returns `unspecified`.
    public var position: CaptureDevice.Position { .unspecified }
    /// The default implementation, for devices that deliver only video.
    public var mediaTypes: Set<MediaType> { [.video] }
    /// The default implementation, for devices without sound. Returns an empty array.
    public var audioFormats: [AudioFormat] { [] }
    /// The default implementation, for live devices. Returns true.
    public var isLive: Bool { true }
    /// The default implementation, for devices that require no permission. Returns `authorized`.
    public var authorizationStatus: AuthorizationStatus { .authorized }
    /// The default implementation, for an unknown reason. Returns nil.
    public var accessReason: AccessReason? { nil }
    /// The default implementation, for an unknown remedy. Returns nil.
    public var accessRemedy: Remedy? { nil }
    /// The default implementation, for devices other than cameras. Returns nil.
    public var driverSelection: CameraDriverSelection? { nil }
    /// Whether ``formats`` contains the mode. True for every mode if ``formats`` is empty.
    public func supports(_ format: VideoFormat) -> Bool { formats.isEmpty || formats.contains(format) }
    /// The default implementation, for devices without controls. Throws ``ObscuraError/Code/unsupportedControl``.
    public func openControls() throws(ObscuraError) -> any DeviceControls {
        throw ObscuraError(.capture, .unsupportedControl, subject: localizedName, reason: "it has no controls")
    }
    /// The default implementation, for devices whose permission cannot be requested. Does not ask the user.
    /// Returns whether the process already has permission to use the device.
    public func requestAccess() async -> Bool { authorizationStatus == .authorized }
    /// The default implementation, for drivers whose frames are uncompressed or intra-coded. Returns nil.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { nil }
    /// The default implementation, for drivers without a converter. Returns nil.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? { nil }
}

/// The requested formats for a run of a device, and whether the run waits for a device that is not available.
public struct RunRequest: Sendable, Hashable {
    /// The requested mode, one of the modes of the device; nil leaves the choice to the device.
    public var videoFormat: VideoFormat?
    /// The requested audio format; nil leaves the choice to the device. The device may use another format.
    public var audioFormat: AudioFormat?
    /// Whether to wait for a device that is not available. If true, a driver that knows the formats of the device
    /// starts the run at once, and reports an interruption. A driver that does not know the formats waits in
    /// ``CaptureRun/start()`` until the device is available or ``CaptureRun/cancel()`` is called.
    public var startsWhenAvailable: Bool
    /// Whether to close the device while the session of the user is locked, as an interruption.
    public var pausesWhileLocked: Bool

    /// Creates a request; nil leaves the choice of a format to the device.
    public init(
        videoFormat: VideoFormat? = nil, audioFormat: AudioFormat? = nil, startsWhenAvailable: Bool = false,
        pausesWhileLocked: Bool = false
    ) {
        self.videoFormat = videoFormat
        self.audioFormat = audioFormat
        self.startsWhenAvailable = startsWhenAvailable
        self.pausesWhileLocked = pausesWhileLocked
    }
}

/// The actual formats of a running device. A property is nil if the device does not deliver that media type.
public struct SourceFormat: Sendable, Hashable {
    /// The video format; nil if the device delivers no video.
    public var video: VideoFormat?
    /// The audio format; nil if the device delivers no sound.
    public var audio: AudioFormat?
    /// The codec of the compressed frames that the device can deliver in addition to pixels, as a file can; see
    /// ``CaptureSink/receiveEncoded(_:)-(EncodedFrame)``. Nil if the device delivers only pixels, or only compressed
    /// frames.
    public var encodedVideo: VideoCodec?
    /// The parameters of the compressed audio that the device can deliver in addition to samples; nil if the device
    /// delivers only samples.
    public var encodedAudio: AudioParameters?

    /// Creates the formats of a device.
    public init(video: VideoFormat? = nil, audio: AudioFormat? = nil) {
        self.video = video
        self.audio = audio
    }
}

/// One run of a device, from opening the device to closing the device.
public protocol CaptureRun: AnyObject, Sendable {
    /// Opens the device and starts its stream on a separate thread. Blocks until the device runs, has failed, or
    /// ``cancel()`` is called. Called once, on the session's control thread. The session sets no time limit. If the
    /// device does not respond, the run itself must throw an error after a bounded time, unless
    /// ``RunRequest/startsWhenAvailable`` is set.
    ///
    /// - Returns: the actual formats.
    /// - Throws: ``ObscuraError`` if the device cannot be started, or if ``cancel()`` was called.
    func start() throws -> SourceFormat
    /// Makes ``start()`` and every other wait of the run return soon. Called on any thread, at any time; must not
    /// block.
    func cancel()
    /// Cancels the run as ``cancel()`` does, and blocks until the last call to the sink has returned, for at most 2 s.
    /// May be called more than once. Buffers that readers hold remain valid.
    func stop()
}

/// The destination of a run's frames, sound and events. The methods are called by one thread at a time.
public protocol CaptureSink: AnyObject, Sendable {
    /// Receives a frame. Blocks while the queue of a lossless reader is full; see ``LateFramePolicy/lossless(_:)``.
    ///
    /// - Parameters:
    ///   - frame: the frame; its buffer returns to the driver when the last reader releases it.
    ///   - buffersLeft: the number of other buffers that the device can still fill. If fewer than two are left, the
    ///     frame is copied and its buffer returns to the driver. Nil if the driver allocates memory for each frame.
    func receive(_ frame: consuming VideoFrame, buffersLeft: Int?)
    /// Receives a compressed frame. Blocks while the queue of a lossless reader is full; see
    /// ``LateFramePolicy/lossless(_:)``.
    func receive(_ frame: EncodedFrame)
    /// Receives sound. Blocks while the queue of a lossless reader is full; see ``LateFramePolicy/lossless(_:)``.
    func receive(_ sound: AudioBuffer)
    /// Receives a compressed frame of ``SourceFormat/encodedVideo``, in addition to or instead of the same frame as
    /// pixels. Blocks while the queue of a lossless reader is full.
    func receiveEncoded(_ frame: EncodedFrame)
    /// Receives a packet of ``SourceFormat/encodedAudio``, in addition to or instead of the same sound as samples.
    /// Blocks while the queue of a lossless reader is full.
    func receiveEncoded(_ packet: EncodedAudio)
    /// The media that readers currently read. A driver that decodes frames or sound itself can omit all other
    /// media. For a source that is not live, reading the property blocks until the first reader is attached.
    var demand: MediaDemand { get }
    /// Whether any reader reads sound. If false, a movie need not decode its sound. For a source that is not live,
    /// reading the property blocks until the first reader is attached.
    var wantsAudio: Bool { get }
    /// Reports a frame that the device flagged as damaged.
    ///
    /// - Parameters:
    ///   - sequence: the sequence number of the damaged frame; nil uses the next number, for devices that do not number
    ///     damaged frames.
    ///   - gap: the number of frames missing before the damaged frame. Used only if the damaged frame is the first
    ///     frame of the run; later gaps are computed from the sequence numbers.
    func loseFrame(sequence: UInt64?, gap: UInt64)
    /// Reports that the device currently delivers no frames. The run continues, and the driver keeps trying to get
    /// frames.
    func interrupted(_ reason: InterruptionReason)
    /// Reports that frames arrive again.
    func resumed()
    /// Reports the end of the run. `error` is nil at the end of a file, otherwise the reason for the end.
    func finish(throwing error: ObscuraError?)
    /// The pool for the frames of the driver. An allocation throws while readers hold the maximum number of frames.
    var pool: PixelBufferPool { get }
}

/// A set of media that readers read from a source.
public struct MediaDemand: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Frames as pixels.
    public static let frames = MediaDemand(rawValue: 1)
    /// Compressed frames.
    public static let encodedFrames = MediaDemand(rawValue: 2)
    /// Sound as samples.
    public static let audio = MediaDemand(rawValue: 4)
    /// Compressed sound.
    public static let encodedAudio = MediaDemand(rawValue: 8)
    /// A reader needs each element when it arrives. Without this, a driver may deliver elements of a tenth of a second at
    /// once.
    public static let prompt = MediaDemand(rawValue: 16)
}

extension CaptureSink {
    /// The default implementation, which ignores the frame.
    public func receiveEncoded(_ frame: EncodedFrame) {}
    /// The default implementation, which ignores the packet.
    public func receiveEncoded(_ packet: EncodedAudio) {}
    /// The default implementation, without compressed media: ``MediaDemand/frames``, and ``MediaDemand/audio`` if
    /// ``wantsAudio`` is true.
    public var demand: MediaDemand { wantsAudio ? [.frames, .audio] : [.frames] }
    /// Reports a damaged frame, as ``loseFrame(sequence:gap:)`` with a gap of 0.
    public func loseFrame(sequence: UInt64?) { loseFrame(sequence: sequence, gap: 0) }
    /// Reports a damaged frame that has no sequence number.
    public func loseFrame() { loseFrame(sequence: nil, gap: 0) }
}

/// The reason why a running device delivers no frames.
public enum InterruptionReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The device was disconnected, or the connection was lost.
    case deviceDisconnected
    /// The device is connected but delivers no frames, or only damaged ones.
    case stalled
    /// Another process uses the device.
    case deviceInUse
    /// The device ended its stream and is being restarted.
    case streamFailed
    /// The machine is about to sleep, or has just woken up. The device is closed meanwhile.
    case systemSleep
    /// The session of the user is locked, and the input was created with
    /// ``CaptureDeviceInput/pausesWhileLocked``. The device is closed meanwhile.
    case sessionLocked
}

/// The permission of this process to use a device.
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// Permission was not requested yet.
    case notDetermined
    /// A policy of the machine forbids the use of the device; permission cannot be requested.
    case restricted
    /// The user, or the file permissions of the device, deny the use of the device.
    case denied
    /// The process may use the device.
    case authorized
}
