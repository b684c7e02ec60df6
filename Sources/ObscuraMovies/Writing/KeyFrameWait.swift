// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A time for which a recording of compressed frames waited for a key frame: at its start, after a pause, or before a new
/// part of a split recording.
public struct KeyFrameWait: Sendable, Hashable {
    /// The position in the recording of the key frame, not counting pauses.
    public let end: MediaTime
    /// The time from the request until the key frame.
    public let duration: Duration

    /// Number of waits that a result lists.
    static let mostListed = 1000
}
