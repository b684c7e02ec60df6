// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The length of a run, by the limit that is reached first.
struct ProgressLength: Hashable {
    /// The maximum number of frames; nil for no limit.
    let count: Int?
    /// The maximum duration, by frame times; nil if unknown.
    private(set) var duration: MediaTime?

    init(count: Int? = nil, duration: MediaTime? = nil) {
        self.count = count
        self.duration = duration
    }

    /// Limits the duration to `other`.
    mutating func limit(duration other: MediaTime) {
        duration = duration.map { min($0, other) } ?? other
    }

    /// Returns the completed fraction, 0 to 1; nil if the length is unknown.
    func fraction(frames: Int, from first: MediaTime?, to last: MediaTime?) -> Double? {
        var parts: [Double] = []
        if let count, count > 0 { parts.append(Double(frames) / Double(count)) }
        if let duration, duration > .zero {
            parts.append(max(0, ((last ?? .zero) - (first ?? .zero)).seconds) / duration.seconds)
        }
        return parts.max().map { min($0, 1) }
    }
}
