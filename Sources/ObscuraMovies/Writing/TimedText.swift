// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A subtitle, or a chapter, of a movie.
public struct TimedText: Sendable, Hashable {
    /// The text, or the title of the chapter: at most 65,535 bytes of UTF-8. Lines are separated by line feeds.
    public var text: String
    /// The presentation time at which the subtitle or the chapter begins.
    public var time: MediaTime
    /// The duration for which a subtitle is shown. A chapter ends where the next one begins; its duration has no effect.
    public var duration: MediaTime?

    /// Creates a subtitle or a chapter.
    public init(_ text: String, at time: MediaTime, duration: MediaTime? = nil) {
        self.text = text
        self.time = time
        self.duration = duration
    }
}
