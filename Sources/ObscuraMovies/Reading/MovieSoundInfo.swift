// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What a movie says about its sound before any of it is read.
public struct MovieSoundInfo: Sendable, Hashable {
    /// The codec's short name, such as `aac`.
    public let codecName: String
    /// The form in which it is handed out.
    public let format: AudioFormat
    /// How long it goes on; nil where the container does not say.
    public let duration: MediaTime?
    /// The time of its beginning on the file's own timeline. Nil where unknown.
    public let startTime: MediaTime?
}
