// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraMedia

/// Counts the recent wrong tokens or passwords of each address, in order to limit the rate of guesses.
///
/// A generated token cannot be guessed at any rate, but one chosen by the owner might be. The right token is always
/// accepted at once: otherwise an attacker in a network could lock out all clients with the same address.
package final class TokenAttempts: Sendable {
    private struct Record {
        let start: ContinuousClock.Instant
        var count = 0
    }

    private let records = Lock(PeerTable<Record>())
    private let limits: RequestLimits

    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Counts a wrong token of `peer`.
    ///
    /// - Returns: the delay of the response, nil for none; and whether it is the first one to be delayed.
    package func note(_ peer: String, at now: ContinuousClock.Instant = .now) -> (delay: Duration?, isFirst: Bool) {
        records.withLock { records in
            var record = records.record(of: peer, at: now) ?? Record(start: now)
            let earlier = record.count
            record.count += 1
            records.keep(record, of: peer, until: record.start + limits.guessTime, at: now)
            return (earlier < limits.guesses ? nil : limits.guessDelay, earlier == limits.guesses)
        }
    }

    /// Counts a wrong token or password, and waits if there were too many.
    ///
    /// - Returns: whether there were too many.
    package func hold(_ context: WebContext) async -> Bool {
        let (delay, isFirst) = note(context.peer.description)
        if isFirst { context.logger.notice("Many wrong tokens or passwords", metadata: ["peer": "\(context.peer)"]) }
        guard let delay else { return false }
        // A delayed guess occupies one of the limited connections, which also limits the number of simultaneous
        // guesses.
        try? await Timers.after(delay) {}.futureResult.get()
        return true
    }

    /// Number of addresses with a record.
    package var count: Int { records.withLock(\.count) }
}
