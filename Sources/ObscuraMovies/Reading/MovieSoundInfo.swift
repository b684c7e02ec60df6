// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The properties of a movie's audio that are known before reading it.
public struct MovieSoundInfo: Sendable, Hashable {
    /// The codec's short name, such as `aac`.
    public let codecName: String
    /// The format of the decoded audio.
    public let format: AudioFormat
    /// Duration; nil if the container does not specify it.
    public let duration: MediaTime?
    /// Start time on the file's own timeline; nil if unknown.
    public let startTime: MediaTime?
}
