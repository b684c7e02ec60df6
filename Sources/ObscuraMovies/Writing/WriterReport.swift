// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The result of writing a movie.
public struct WriterReport: Sendable, Hashable {
    /// The path of the movie.
    public let path: String
    /// Start time within the recording: nonzero for the later parts of a split recording.
    package let start: MediaTime
    /// Duration of the movie.
    public let duration: MediaTime
    /// Number of frames in the movie.
    public let videoFrameCount: Int
    /// Number of frames that were skipped because their time was equal to or before the time of the previous frame.
    public let skippedFrameCount: Int
    /// File size in bytes.
    public let byteCount: Int64
    /// FFmpeg's name of the video encoder; nil without video, and if it was copied.
    public let videoEncoder: String?
    /// FFmpeg's name of the audio encoder; nil without audio, and if it was copied.
    public let audioEncoder: String?
    /// The deviation of the clock of the audio from that of the frames, in parts per million, which the movie corrects:
    /// positive if the audio's clock is fast. Nil without audio, or with less than 10 s of it.
    public let audioDrift: Double?
    /// Whether the movie is still fragmented, because rewriting it would have used the disk space that recordings keep
    /// free (``MovieFileOutput/minFreeDiskSpace``). A fragmented movie is playable.
    public let isFragmented: Bool
}
