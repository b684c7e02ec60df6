// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera that plays a script of frames and faults, the same way each time.
///
/// Time is the session's clock: with a ``ManualClock`` a test goes through the script step by step; with
/// the system's it runs as it was recorded.
public struct ReplayDriver: CaptureDriver {
    /// `replay:` and the name.
    public let uniqueID: String
    /// The name to show to people.
    public let localizedName: String
    /// Where it says that it looks.
    public let position: CaptureDevice.Position
    /// The modes that it says it has.
    public let formats: [VideoFormat]
    /// What it says before anybody is asked.
    public let authorizationStatus: AuthorizationStatus
    private let script: [ReplayEvent]
    private let bufferCount: Int?
    private let access: @Sendable () async -> Bool
    private let refusal: @Sendable (VideoFormat?) -> ObscuraError?
    private let decoders: (any FrameDecoderProvider)?

    /// - Parameters:
    ///   - name: tells several of them apart.
    ///   - formats: the modes that it says it has.
    ///   - script: what happens, in the order of its times.
    ///   - bufferCount: how many frames it may have out at once, as a kernel's driver; nil for any number.
    ///     A frame that comes when all are out is lost, and makes a gap.
    ///   - authorizationStatus: what it says before anybody is asked.
    ///   - requestAccess: how the user answers.
    ///   - refusal: why it does not start in a mode; nil when it does.
    ///   - decoders: for compressed frames that refer to others; nil if there are none in the script.
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
        self.script = script.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.bufferCount = bufferCount
        self.authorizationStatus = authorizationStatus
        access = requestAccess
        self.refusal = refusal
        self.decoders = decoders
    }

    /// Answers as the user of the script does.
    public func requestAccess() async -> Bool { await access() }

    /// What was given for the script.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders?.makeDecoder(for: format)
    }

    /// One run of the script, from its beginning.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        ReplayRun(
            name: localizedName, format: request.videoFormat ?? formats.first, script: script, bufferCount: bufferCount,
            refusal: refusal, sink: sink, clock: clock)
    }
}
