// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera that plays a script of frames and faults, identically each time.
///
/// The times of the script follow the session's clock: with a ``ManualClock`` a test steps through the script; with a
/// ``SystemClock`` the script is played in real time.
public struct ReplayDriver: CaptureDriver {
    /// The unique id: `replay:` followed by the name.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// The position that the camera reports.
    public let position: CaptureDevice.Position
    /// The modes that the camera reports.
    public let formats: [VideoFormat]
    /// The authorization that the camera reports before the user is asked.
    public let authorizationStatus: AuthorizationStatus
    private let script: [ReplayEvent]
    private let bufferCount: Int?
    private let access: @Sendable () async -> Bool
    private let refusal: @Sendable (VideoFormat?) -> ObscuraError?
    private let decoders: (any FrameDecoderProvider)?

    /// Creates a camera.
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
        self.script = script.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.bufferCount = bufferCount
        self.authorizationStatus = authorizationStatus
        access = requestAccess
        self.refusal = refusal
        self.decoders = decoders
    }

    /// Calls the closure passed to the initializer, and returns whether the user grants access.
    public func requestAccess() async -> Bool { await access() }

    /// Returns a decoder from the provider passed to the initializer; nil if no provider was passed.
    public func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders?.makeDecoder(for: format)
    }

    /// Creates a run that plays the script from the beginning.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        ReplayRun(
            name: localizedName, format: request.videoFormat ?? formats.first, script: script, bufferCount: bufferCount,
            refusal: refusal, sink: sink, clock: clock)
    }
}
