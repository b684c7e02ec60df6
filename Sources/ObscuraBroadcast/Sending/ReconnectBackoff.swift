// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// How long is waited before the next attempt to connect, and how long that may take: a pure value.
///
/// A quarter of a second first, twice as long after each attempt that failed, and never more than two, counted from the
/// beginning of the attempt: whoever watches waits for no more than that once the server is back. A tenth more or less,
/// so that many do not come at once.
///
/// While a network is away, a call of TCP is repeated after 1, 3, 7 and 15 seconds (RFC 6298, sections 2 and 5). A new
/// attempt asks sooner, so each but the first has four seconds; or twice what the last that went well took, for servers
/// that are far away.
struct ReconnectBackoff: Sendable {
    private static let delays = Backoff(first: .milliseconds(250), limit: .seconds(2))
    /// A connection that lasted so long was a good one.
    private static let proof = Duration.seconds(10)
    private static let usualAttempt = Duration.seconds(4)

    /// How often was waited since the last good connection.
    private var waitCount = 0
    private var lastAttempt = Duration.zero
    /// How long the last attempt took that went well.
    private var lastSuccess: Duration?

    /// How long the next attempt may take.
    ///
    /// - Parameter longest: what the first one may take.
    func timeout(_ longest: Duration) -> Duration {
        guard let lastSuccess else { return longest }
        return min(longest, max(Self.usualAttempt, lastSuccess * 2))
    }

    /// - Parameter chance: from 0 to 1.
    mutating func wait(chance: Double) -> Duration {
        defer { waitCount += 1 }
        let delay = max(Self.delays.delay(after: 0), Self.delays.delay(after: waitCount) - lastAttempt)
        return delay * (0.9 + 0.2 * min(1, max(0, chance)))
    }

    /// An attempt took so long, and the connection, if it came to one, lasted so long.
    mutating func note(attemptOf attempt: Duration, connectionOf connection: Duration?) {
        guard let connection else {
            lastAttempt = attempt
            return
        }
        lastSuccess = attempt
        lastAttempt = .zero
        if connection >= Self.proof { waitCount = 0 }
    }
}
