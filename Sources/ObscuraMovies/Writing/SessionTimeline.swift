// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Where the times of what is appended lie in the movie: the stretches, one after the other, without the time between.
struct SessionTimeline: Sendable, Hashable {
    /// Where the stretch begins, by the times of what is appended; nil between two.
    private(set) var start: MediaTime?
    /// Where it begins in the movie.
    private(set) var offset = MediaTime.zero

    /// Begins a stretch at `time`, which comes in the movie at its present end.
    mutating func begin(at time: MediaTime) {
        start = time
    }

    /// Ends it at `time`, or, without one, where the movie ends now.
    mutating func end(at time: MediaTime?, movieEnd: MediaTime) {
        guard let start else { return }
        offset = time.map { max(.zero, $0 - start) + offset } ?? max(offset, movieEnd)
        self.start = nil
    }

    /// The place of `time` in the movie; negative, or before ``offset``, for what comes before the stretch.
    func place(_ time: MediaTime) -> MediaTime? {
        start.map { time - $0 + offset }
    }
}
