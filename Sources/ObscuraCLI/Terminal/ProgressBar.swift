// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A bar with the completed fraction of a run.
enum ProgressBar {
    private static let longest = 40
    private static let shortest = 10

    /// Returns a line for a terminal of `width` columns: the bar and the words; the words alone if the fraction is
    /// unknown (nil) or the line is too short for both; truncated if necessary.
    static func text(fraction: Double?, words: String, width: Int) -> String {
        // The last column stays empty: some terminals wrap there.
        let room = width - 1 - words.count - 3
        guard let fraction, room >= shortest else { return String(words.prefix(max(0, width - 1))) }
        let length = min(room, longest)
        let done = Int((fraction * Double(length)).rounded(.down))
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: length - done)
        return "[\(bar)] \(words)"
    }
}
