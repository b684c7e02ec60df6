// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// The result of a recording.
public struct RecordingResult: Sendable, Hashable {
    /// The reason for the end of a recording.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The recording was stopped.
        case stopped
        /// The duration reached ``MovieFileOutput/maxRecordedDuration``.
        case maximumDuration
        /// The size reached ``MovieFileOutput/maxRecordedFileSize``.
        case maximumFileSize
        /// The disk is full, or only ``MovieFileOutput/minFreeDiskSpace`` is left.
        case diskFull
        /// The camera was permanently lost.
        case cameraGone
        /// The microphone was permanently lost.
        case microphoneGone
        /// The session was stopped, or the output was removed from it.
        case sessionStopped
        /// The movie that was the source of the recording has ended.
        case sourceEnded
        /// A frame or an audio buffer could not be encoded.
        case encoderFailed
        /// The file could not be written.
        case writingFailed
    }

    /// A period in which a live source delivered no frames. The movie shows the last frame until frames arrive again.
    public struct Gap: Sendable, Hashable {
        /// The recorded duration at which frames stopped arriving, not counting pauses.
        public let start: MediaTime
        /// The time without frames.
        public let duration: Duration
    }

    /// A change to another camera during a recording.
    public struct CameraSwitch: Sendable, Hashable {
        /// The recorded duration at the change, not counting pauses.
        public let time: MediaTime
        /// The name of the new camera.
        public let camera: String
    }

    /// The path of the movie, or of the last part of a split movie.
    public let path: String
    /// The reason for the end of the recording.
    public let reason: Reason
    /// Total duration of all parts, not counting pauses.
    public let duration: MediaTime
    /// The writer's report on the last file; nil if the last file is incomplete.
    public let report: AssetWriter.Report?
    /// The writer's reports on all completed parts, in order. A movie that was not split has one part.
    public let parts: [AssetWriter.Report]
    /// Paths passed to ``MovieFileOutput/splitRecording(to:metadata:)-(String,_)`` for which no file was created,
    /// because the recording ended before the next frame.
    public let omittedParts: [String]
    /// The first thousand gaps of more than 2 s in the frames of the source, in order. In a movie without video, the
    /// gaps in the audio.
    public let gaps: [Gap]
    /// The first thousand waits for key frames, in order. Empty unless compressed frames are recorded
    /// (``AssetWriter/Options/copiesVideo``).
    public let keyFrameWaits: [KeyFrameWait]
    /// The first thousand changes to another camera, in order.
    public let cameraSwitches: [CameraSwitch]
    /// The delays from the capture until frames and audio were encoded and written, of all parts together.
    public let delivery: DeliveryStatistics
    /// The error of the recording or of its last file; nil if no error occurred.
    public let error: ObscuraError?

    /// Whether a playable file exists: the movie, or a partial file (``ObscuraError/usableFile``).
    public var isUsable: Bool { report != nil || error?.usableFile != nil }
}

/// An event of a recording.
public enum RecordingEvent: Sendable, Hashable {
    /// The first frame was added to the movie. In a movie without video: the first audio buffer was added.
    case started(path: String)
    /// The recording was paused: no frame is added until the recording is resumed.
    case paused
    /// The recording continues after a pause.
    case resumed
    /// No frame has arrived for 2 s (in a movie without video: no audio). The recording continues with the next frame.
    case framesStopped
    /// Frames arrive again.
    case framesResumed(RecordingResult.Gap)
    /// A part of a split recording is complete.
    case finishedPart(AssetWriter.Report)
    /// A part of a split recording could not be completed. The recording continues.
    case failedPart(ObscuraError)
    /// The recording has ended. The result contains an error if the last file could not be completed.
    case finished(RecordingResult)
}
