// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera that plays a script of frames and faults, or a trace (``SessionTrace``), identically each time.
///
/// The times of the script follow the session's clock: with a ``ManualClock`` a test steps through the script; with a
/// ``SystemClock`` the script is played in real time.
public struct ReplayDriver: CaptureDriver {
    /// The unique id: `replay:` followed by the name, or by the path of the trace.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// The position that the camera reports.
    public let position: CaptureDevice.Position
    /// The modes that the camera reports.
    public let formats: [VideoFormat]
    /// The authorization that the camera reports before the user is asked.
    public let authorizationStatus: AuthorizationStatus
    /// The media types that the device delivers.
    public let mediaTypes: Set<MediaType>
    /// The audio formats that the device reports.
    public let audioFormats: [AudioFormat]
    /// Whether frames are delivered at the times of the script or the trace. If false, frames are delivered as fast as
    /// readers take them.
    public let isLive: Bool
    private let content: Content
    private let bufferCount: Int?
    private let access: @Sendable () async -> Bool
    private let refusal: @Sendable (VideoFormat?) -> ObscuraError?
    private let decoders: (any FrameDecoderProvider)?
    private let converters: (any AudioConverterProvider)?

    private enum Content: Sendable {
        case script([ReplayEvent])
        case trace(TracedDevice)
    }

    /// Creates a camera that plays a script.
    ///
    /// - Parameters:
    ///   - name: the last part of the unique id, which distinguishes the replay cameras of a session.
    ///   - position: the direction that the camera faces.
    ///   - formats: the modes that the camera reports.
    ///   - script: the events, in any order; each event occurs at its ``ReplayEvent/time``.
    ///   - bufferCount: the number of buffers, as in a kernel driver; nil for no limit. A frame that is due while
    ///     readers hold all buffers is lost, and the sequence numbers have a gap.
    ///   - authorizationStatus: the authorization that the camera reports before the user is asked.
    ///   - requestAccess: a closure that returns whether the user grants access to the camera.
    ///   - refusal: a closure that returns the error with which a start in the given mode fails; nil if the start
    ///     succeeds.
    ///   - decoders: the provider of decoders for inter-coded frames; nil if the script has no such frames.
    public init(
        name: String = "replay", position: CaptureDevice.Position = .unspecified, formats: [VideoFormat],
        script: [ReplayEvent], bufferCount: Int? = nil, authorizationStatus: AuthorizationStatus = .authorized,
        requestAccess: @escaping @Sendable () async -> Bool = { true },
        refusal: @escaping @Sendable (VideoFormat?) -> ObscuraError? = { _ in nil },
        decoders: (any FrameDecoderProvider)? = nil
    ) {
        uniqueID = "replay:\(name)"
        localizedName = "Replay (\(name))"
        self.position = position
        self.formats = formats
        mediaTypes = [.video]
        audioFormats = []
        isLive = true
        content = .script(
            script.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element))
        self.bufferCount = bufferCount
        self.authorizationStatus = authorizationStatus
        access = requestAccess
        self.refusal = refusal
        self.decoders = decoders
        converters = nil
    }

    /// Creates a camera that plays one camera of a trace. The sound is that of the camera or, if the camera has no
    /// sound, of the first microphone in the trace.
    ///
    /// Frames, sound and events are delivered in the order of the trace, with the original sequence numbers and gaps.
    /// If the trace contains no pictures, the frames show the test pattern with the sequence number. The sound is
    /// silent. The stream ends at the end of the trace.
    ///
    /// - Parameters:
    ///   - path: the path of the trace.
    ///   - camera: the number of the camera in the trace; 1 for the first camera.
    ///   - isLive: whether frames are delivered at the times of the trace. If false, frames are delivered as fast as
    ///     readers take them: no frame is dropped on a busy machine, and every playback is identical.
    ///   - decoders: the provider of decoders for inter-coded frames; nil for traces without inter-coded frames.
    ///   - converters: the provider of converters for readers that request an audio format other than that of the trace.
    ///     With nil, these readers fail.
    /// - Throws: ``ObscuraError``: `notFound` or `unreadable` if the file cannot be read; `noSuchDevice` if the trace
    ///   has no camera with this number; `damaged` if the trace is damaged.
    public init(
        trace path: String, camera: Int = 1, isLive: Bool = true, decoders: (any FrameDecoderProvider)? = nil,
        converters: (any AudioConverterProvider)? = nil
    ) throws(ObscuraError) {
        let device = try TracedDevice(path, camera: camera)
        uniqueID = "replay:\(path)" + (camera == 1 ? "" : "?camera=\(camera)")
        localizedName = "Replay of \(device.name)"
        position = .unspecified
        formats = device.video.map { [$0] } ?? []
        mediaTypes = Set([device.video.map { _ in .video }, device.audio.map { _ in .audio }].compactMap(\.self))
        audioFormats = device.audio.map { [$0] } ?? []
        self.isLive = isLive
        content = .trace(device)
        bufferCount = nil
        authorizationStatus = .authorized
        access = { true }
        refusal = { _ in nil }
        self.decoders = decoders
        self.converters = converters
    }

    /// Calls the closure passed to the initializer, and returns whether the user grants access.
    public func requestAccess() async -> Bool { await access() }

    /// Returns a decoder from the provider passed to the initializer; nil if no provider was passed.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders?.makeDecoder(for: format)
    }

    /// Returns a converter from the provider passed to the initializer; nil if no provider was passed.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    /// Creates a run that plays the script or the trace from the beginning.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        switch content {
        case .script(let script):
            ReplayRun(
                name: localizedName, format: request.videoFormat ?? formats.first, script: script,
                bufferCount: bufferCount, refusal: refusal, sink: sink, clock: clock)
        case .trace(let device): TraceRun(device, isLive: isLive, sink: sink, clock: clock)
        }
    }
}
