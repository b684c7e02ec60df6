// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What became of a movie.
public struct WriterReport: Sendable, Hashable {
    /// The movie.
    public let path: String
    /// Where it begins in the recording: not 0 for the later parts of one that was split.
    package let start: MediaTime
    /// How long it is.
    public let duration: MediaTime
    /// How many pictures it has.
    public let videoFrameCount: Int
    /// How many pictures were left out, because they were not later than the one before.
    public let skippedFrameCount: Int
    /// Its size.
    public let byteCount: Int64
    /// FFmpeg's name of the encoder that was used; nil without pictures.
    public let videoEncoder: String?
    /// FFmpeg's name of the encoder that was used; nil without sound.
    public let audioEncoder: String?
    /// Whether it stayed in fragments, because the disk had no room for rewriting it beside what recordings leave
    /// free (``MovieFileOutput/minFreeDiskSpace``). It plays nevertheless.
    public let isFragmented: Bool
}
