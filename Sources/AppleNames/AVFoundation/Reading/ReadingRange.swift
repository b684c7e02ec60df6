// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The times of the samples to read.
struct ReadingRange: Sendable {
    /// The first time; nil for the beginning.
    let start: MediaTime?
    /// The first time after the range; nil for the end.
    let end: MediaTime?

    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a range that is not valid.
    init(_ range: CMTimeRange, subject: String) throws(ObscuraError) {
        let isOpen = range.duration.isPositiveInfinity
        guard range.isValid, let start = range.start.mediaTime, isOpen || range.end.mediaTime != nil else {
            throw .invalidSettings(
                .movies, subject,
                "the time range of a reader must have a numeric start, and a duration that is not negative")
        }
        self.start = start
        end = isOpen ? nil : range.end.mediaTime
    }

    func isBeforeEnd(_ time: MediaTime) -> Bool { end.map { time < $0 } ?? true }

    /// Options for reading a stream of a file from the start of the range on.
    func options(stream: Int) -> MovieReadingOptions {
        var options = MovieReadingOptions()
        options.start = start
        options.stream = stream
        return options
    }
}
