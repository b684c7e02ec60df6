// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// How long is waited before the next attempt to connect: a pure value.
///
/// A quarter of a second first, twice as long after each attempt that failed, and never more than two: whoever watches
/// waits for no more than that once the server is back. A tenth more or less, so that many do not come at once.
struct ReconnectBackoff: Sendable {
    private static let first = Duration.milliseconds(250)
    private static let longest = Duration.seconds(2)
    /// A connection that lasted so long was a good one.
    private static let proof = Duration.seconds(10)

    private var next = first

    /// - Parameter chance: from 0 to 1.
    mutating func wait(chance: Double) -> Duration {
        defer { next = min(Self.longest, next * 2) }
        return next * (0.9 + 0.2 * min(1, max(0, chance)))
    }

    /// A connection has ended that was there for this long.
    mutating func note(connectionOf duration: Duration) {
        if duration >= Self.proof { next = Self.first }
    }
}
