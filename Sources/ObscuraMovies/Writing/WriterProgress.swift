// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The progress of writing a movie.
public struct WriterProgress: Sendable, Hashable {
    /// Current duration of the movie.
    public internal(set) var duration = MediaTime.zero
    /// Current file size in bytes.
    public internal(set) var byteCount: Int64 = 0
    /// Number of frames and audio buffers that wait for the encoder.
    public internal(set) var waitingCount = 0
    /// Expected file size in bytes, including all samples received so far.
    package internal(set) var expectedByteCount: Int64 = 0
    /// Whether a sample exceeded the size limit; the file ends there.
    package internal(set) var isFull = false
}
