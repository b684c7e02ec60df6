// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A mapping of the times of appended samples to the movie, whose segments follow one another without gaps.
struct SessionTimeline: Sendable, Hashable {
    /// The start of the segment, on the timeline of the appended samples; nil between two segments.
    private(set) var start: MediaTime?
    /// The start of the segment in the movie.
    private(set) var offset = MediaTime.zero

    /// Begins a segment at `time`, which maps to the current end of the movie.
    mutating func begin(at time: MediaTime) {
        start = time
    }

    /// Ends the segment at `time`, or, if nil, at the current end of the movie.
    mutating func end(at time: MediaTime?, movieEnd: MediaTime) {
        guard let start else { return }
        offset = time.map { max(.zero, $0 - start) + offset } ?? max(offset, movieEnd)
        self.start = nil
    }

    /// Returns the movie time of `time`: less than ``offset`` for a time before the segment; nil between two segments.
    func place(_ time: MediaTime) -> MediaTime? {
        start.map { time - $0 + offset }
    }
}
