// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The properties of a movie's audio that are known before any audio is decoded.
public struct MovieSoundInfo: Sendable, Hashable {
    /// The codec's short name, such as `aac`.
    public let codecName: String
    /// The format of the decoded audio.
    public let format: AudioFormat
    /// Duration; nil if the container does not specify it.
    public let duration: MediaTime?
    /// Time of the first sample on the file's own timeline, which need not begin at zero; nil if unknown.
    public let startTime: MediaTime?
}
