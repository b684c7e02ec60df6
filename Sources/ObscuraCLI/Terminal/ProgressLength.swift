// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// How far it is to the end of a run, by whichever limit comes first.
struct ProgressLength: Hashable {
    /// At most so many frames; nil for no such limit.
    let count: Int?
    /// So long, by the times of the frames; nil where that is not known.
    private(set) var duration: MediaTime?

    init(count: Int? = nil, duration: MediaTime? = nil) {
        self.count = count
        self.duration = duration
    }

    /// There is no more than this.
    mutating func limit(duration other: MediaTime) {
        duration = duration.map { min($0, other) } ?? other
    }

    /// Which part of the way is done, 0 to 1; nil where the end is not known.
    func fraction(frames: Int, from first: MediaTime?, to last: MediaTime?) -> Double? {
        var parts: [Double] = []
        if let count, count > 0 { parts.append(Double(frames) / Double(count)) }
        if let duration, duration > .zero {
            parts.append(max(0, ((last ?? .zero) - (first ?? .zero)).seconds) / duration.seconds)
        }
        return parts.max().map { min($0, 1) }
    }
}
