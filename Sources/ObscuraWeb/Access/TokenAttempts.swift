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
        var start: ContinuousClock.Instant
        var count: Int
    }

    /// Addresses are cheap in IPv6; the table is not to grow with them.
    private static let mostPeers = 1024
    private let records = Lock<[String: Record]>([:])
    private let limits: RequestLimits

    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Notes a wrong token of `peer`.
    ///
    /// - Returns: how long its answer must wait, nil for not at all; and whether it is the first one that must.
    package func note(_ peer: String, at now: ContinuousClock.Instant = .now) -> (delay: Duration?, isFirst: Bool) {
        records.withLock { records in
            if let known = records[peer], now - known.start < limits.guessTime {
                records[peer]?.count += 1
                return (known.count < limits.guesses ? nil : limits.guessDelay, known.count == limits.guesses)
            }
            if records.count >= Self.mostPeers { records = records.filter { now - $0.value.start < limits.guessTime } }
            if records.count >= Self.mostPeers, let oldest = records.min(by: { $0.value.start < $1.value.start }) {
                records[oldest.key] = nil
            }
            records[peer] = Record(start: now, count: 1)
            return limits.guesses < 1 ? (limits.guessDelay, true) : (nil, false)
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
