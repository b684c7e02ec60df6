// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A period in which a recording of compressed frames waited for a key frame: at its start, after a pause, or before a
/// new part of a split recording.
public struct KeyFrameWait: Sendable, Hashable {
    /// The position of the key frame in the recording, not counting pauses.
    public let end: MediaTime
    /// The time from the start, the resumption or the split until the key frame.
    public let duration: Duration

    /// Number of waits that a result lists.
    static let mostListed = 1000
}
