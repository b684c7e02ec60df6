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
    /// FFmpeg's name of the video encoder; nil if the movie has no video, or if the video was copied.
    public let videoEncoder: String?
    /// FFmpeg's name of the audio encoder; nil if the movie has no audio, or if the audio was copied.
    public let audioEncoder: String?
    /// The clock drift of the audio relative to the frames, in parts per million; positive if the audio's clock is
    /// fast. The drift is corrected in the movie. Nil if the movie has less than 10 s of audio.
    public let audioDrift: Double?
    /// Whether the movie is still fragmented, because rewriting it would have used the disk space that recordings keep
    /// free (``MovieFileOutput/minFreeDiskSpace``). A fragmented movie is playable.
    public let isFragmented: Bool
}
