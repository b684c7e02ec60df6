// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The choice of a timescale for the video of a movie.
enum MovieTimescale {
    /// A timescale in which the usual frame durations and milliseconds are whole numbers.
    private static let common: Int64 = 90_000
    private static let finest: Int64 = 1_000_000

    /// Returns a timescale in which times in units of these timescales are whole numbers, as far as a movie file can
    /// represent them.
    static func timescale(for timescales: [Int32]) -> Int32 {
        var own: Int64 = 1
        for scale in timescales {
            own = multiple(own, Int64(scale))
            guard own <= finest else { return Int32(finest) }
        }
        let both = multiple(own, common)
        return Int32(both <= finest ? both : own)
    }

    /// Returns the least common multiple.
    private static func multiple(_ a: Int64, _ b: Int64) -> Int64 {
        var (x, y) = (a, b)
        while y != 0 { (x, y) = (y, x % y) }
        return a / x * b
    }
}
