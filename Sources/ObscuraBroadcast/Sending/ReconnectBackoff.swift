// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The delay before the next connection attempt, and the timeout of that attempt: a pure value.
///
/// The delay starts at 250 ms and doubles after each failed attempt, up to 2 s, counted from the start of the attempt,
/// so viewers wait at most that long after the server is available again. It varies randomly by 10%, so that many
/// senders do not connect at the same moment.
///
/// While a network is down, TCP retransmits a SYN after 1, 3, 7 and 15 seconds (RFC 6298, sections 2 and 5). A new
/// attempt is faster, so each attempt except the first has a timeout of four seconds, or twice the duration of the last
/// successful one, for distant servers.
struct ReconnectBackoff: Sendable {
    private static let delays = Backoff(first: .milliseconds(250), limit: .seconds(2))
    /// A connection that lasted this long counts as stable.
    private static let proof = Duration.seconds(10)
    private static let usualAttempt = Duration.seconds(4)

    /// Number of delays since the last stable connection.
    private var waitCount = 0
    private var lastAttempt = Duration.zero
    /// Duration of the last successful attempt.
    private var lastSuccess: Duration?

    /// Returns the timeout of the next attempt.
    ///
    /// - Parameter longest: timeout of the first attempt.
    func timeout(_ longest: Duration) -> Duration {
        guard let lastSuccess else { return longest }
        return min(longest, max(Self.usualAttempt, lastSuccess * 2))
    }

    /// - Parameter chance: a random number from 0 to 1.
    mutating func wait(chance: Double) -> Duration {
        defer { waitCount += 1 }
        let delay = max(Self.delays.delay(after: 0), Self.delays.delay(after: waitCount) - lastAttempt)
        return delay * (0.9 + 0.2 * min(1, max(0, chance)))
    }

    /// Records the duration of an attempt and, if it succeeded, of the connection.
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
