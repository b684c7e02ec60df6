// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The part of a movie to copy, on the timeline of the file.
struct TrimRange: Sendable, Hashable {
    /// The time of the movie's first frame.
    let origin: MediaTime
    let start: MediaTime
    /// Nil for the end of the movie.
    let end: MediaTime?

    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a part that is empty, or not in the movie.
    init(
        _ input: InputContext, _ source: String, start: MediaTime, end: MediaTime?
    ) throws(ObscuraError) {
        func invalid(_ reason: String, _ advice: String) -> ObscuraError {
            ObscuraError(.movies, .invalidRequest, subject: source, reason: reason, advice: advice)
        }
        let lead = input.streams.first { $0.kind == .video && !$0.isCover } ?? input.streams.first { $0.kind == .audio }
        guard let lead else { throw invalid("it has neither video nor audio", "Choose another file.") }
        let origin = lead.startTime ?? .zero
        guard start >= .zero, end.map({ $0 > start }) ?? true else {
            throw invalid("the start is negative, or the end is not after the start", "Choose another start or end.")
        }
        if let duration = lead.duration ?? input.duration, start >= duration {
            throw invalid(
                "it ends after \(duration.seconds) s, before the start of the selected part",
                "Choose an earlier start.")
        }
        self.origin = origin
        self.start = origin + start
        self.end = end.map { origin + $0 }
    }
}
