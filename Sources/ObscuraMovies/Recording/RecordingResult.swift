// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// How a recording ended.
public struct RecordingResult: Sendable, Hashable {
    /// Why it ended.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// Somebody stopped it.
        case stopped
        /// It had the length of ``MovieFileOutput/maxRecordedDuration``.
        case maximumDuration
        /// It had the size of ``MovieFileOutput/maxRecordedFileSize``.
        case maximumFileSize
        /// The disk is full, or has no more than ``MovieFileOutput/minFreeDiskSpace``.
        case diskFull
        /// The camera went away for good.
        case cameraGone
        /// The microphone went away for good.
        case microphoneGone
        /// The session was stopped, or the output was taken out of it.
        case sessionStopped
        /// The film that was recorded is at its end.
        case sourceEnded
        /// A picture or a sound could not be encoded.
        case encoderFailed
        /// The file could not be written.
        case writingFailed
    }

    /// The movie; of one that was split, its last part.
    public let path: String
    /// Why it ended.
    public let reason: Reason
    /// How long it is, of all parts together, without its pauses.
    public let duration: MediaTime
    /// What was written; nil if the file did not become whole.
    public let report: AssetWriter.Report?
    /// What was written of each part, in their order: of a movie that was not split, ``report`` alone. A part that
    /// could not be made whole is not among them.
    public let parts: [AssetWriter.Report]
    /// The files that ``MovieFileOutput/splitRecording(to:metadata:)`` asked for, and for which no frame came before
    /// the end: there are no such files.
    public let omittedParts: [String]
    /// What went wrong; nil if nothing did.
    public let error: ObscuraError?

    /// Whether there is a file that plays; it may be the partial one (``ObscuraError/usableFile``).
    public var isUsable: Bool { report != nil || error?.usableFile != nil }
}

/// What happens to a recording.
public enum RecordingEvent: Sendable, Hashable {
    /// The first frame is in the movie.
    case started(path: String)
    case paused
    case resumed
    /// A part of a recording that was split is whole.
    case finishedPart(AssetWriter.Report)
    /// A part of a recording that was split could not be made whole. The recording goes on.
    case failedPart(ObscuraError)
    case finished(RecordingResult)
}
