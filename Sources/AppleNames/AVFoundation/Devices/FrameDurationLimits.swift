// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The shortest and the longest time between two frames that a program allows.
struct FrameDurationLimits: Sendable, Hashable {
    /// Nil if the program has not set it.
    private(set) var minimum: MediaTime?
    /// Nil if the program has not set it.
    private(set) var maximum: MediaTime?

    /// Sets the shortest time; the longest one is never below it.
    mutating func setMinimum(_ duration: MediaTime?) {
        minimum = duration
        if let duration, let longest = maximum, longest < duration { maximum = duration }
    }

    /// Sets the longest time; the shortest one is never above it.
    mutating func setMaximum(_ duration: MediaTime?) {
        maximum = duration
        if let duration, let shortest = minimum, shortest > duration { minimum = duration }
    }

    /// Returns the fastest mode that is allowed.
    ///
    /// - Parameters:
    ///   - modes: Those of a format. A limit is the duration of one of them.
    ///   - usual: The mode without limits.
    func mode(in modes: [VideoFormat], usual: VideoFormat) -> VideoFormat {
        guard let usualDuration = usual.frameRate?.frameDuration else { return usual }
        let wanted = minimum ?? min(usualDuration, maximum ?? usualDuration)
        return modes.first { $0.frameRate?.frameDuration == wanted } ?? usual
    }
}
