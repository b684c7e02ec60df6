// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// How far a movie has come.
public struct WriterProgress: Sendable, Hashable {
    /// How long it is so far.
    public internal(set) var duration = MediaTime.zero
    /// How many bytes the file has so far.
    public internal(set) var byteCount: Int64 = 0
    /// How many frames and pieces of sound wait for the encoder.
    public internal(set) var waitingCount = 0
    /// How many bytes the file will have, when all that has come is in it.
    package internal(set) var expectedByteCount: Int64 = 0
    /// Whether something had no room in the file: it ends there.
    package internal(set) var isFull = false
}
