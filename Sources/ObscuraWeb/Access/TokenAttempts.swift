// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraMedia

/// How often each address has named a wrong token or password of late, so that guessing goes slowly.
///
/// A token that we made cannot be guessed at any speed; one that the owner chose might. The right one is always let
/// in, at once: otherwise whoever guesses in a network would keep out everybody who shares his address.
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

    /// Notes a wrong token of `peer`.
    ///
    /// - Returns: how long its answer must wait, nil for not at all; and whether it is the first one that must.
    package func note(_ peer: String, at now: ContinuousClock.Instant = .now) -> (delay: Duration?, isFirst: Bool) {
        records.withLock { records in
            var record = records.record(of: peer, at: now) ?? Record(start: now)
            let earlier = record.count
            record.count += 1
            records.keep(record, of: peer, until: record.start + limits.guessTime, at: now)
            return (earlier < limits.guesses ? nil : limits.guessDelay, earlier == limits.guesses)
        }
    }

    /// Notes a wrong one, and holds its answer back where too many came.
    ///
    /// - Returns: whether too many came.
    package func hold(_ context: WebContext) async -> Bool {
        let (delay, isFirst) = note(context.peer.description)
        if isFirst { context.logger.notice("Many wrong tokens or passwords", metadata: ["peer": "\(context.peer)"]) }
        guard let delay else { return false }
        // A guess that must wait holds one of the connections, of which there are few: that is the limit.
        try? await Timers.after(delay) {}.futureResult.get()
        return true
    }

    /// How many addresses are remembered.
    package var count: Int { records.withLock(\.count) }
}
