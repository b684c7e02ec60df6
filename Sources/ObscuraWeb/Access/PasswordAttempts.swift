// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ObscuraBase
internal import ObscuraMedia

/// Makes it slow to guess a password that somebody chose.
///
/// The first wrong ones of an address are answered at once. From then on it has one attempt at a time, each after twice
/// the delay of the one before, and all others are rejected without a look at their password: an answer that comes at
/// once would tell whether it was the right one. Connections that have named the right one are not affected.
package final class PasswordAttempts: Sendable {
    package enum Turn: Equatable {
        /// The password is compared after this delay.
        case after(Duration)
        /// It is not compared; the client may ask again after this time.
        case rejected(retryAfter: Duration)
    }

    private struct Record {
        var failureCount = 0
        /// Until when the one attempt that is allowed waits; nil without one.
        var pendingUntil: ContinuousClock.Instant?
    }

    /// An address that named nothing wrong for so long is forgotten.
    private static let memory = Duration.seconds(600)

    private let limits: RequestLimits
    private let records = Lock(PeerTable<Record>())
    /// Connections on which the right password came last.
    private let proven = Lock<Set<ObjectIdentifier>>([])

    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Compares a password when it is its turn.
    ///
    /// - Returns: whether it is the right one; nil if it was not compared, and after how long the client may ask again.
    package func judge(
        _ context: WebContext, isRight: () -> Bool
    ) async -> (isRight: Bool?, retryAfter: Duration) {
        let connection = ObjectIdentifier(context.channel)
        if proven.withLock({ $0.contains(connection) }) {
            if isRight() { return (true, .zero) }
            // A proxy may send the requests of several clients through one connection.
            _ = proven.withLock { $0.remove(connection) }
        }
        let peer = context.peer.description
        switch turn(of: peer) {
        case .rejected(let time): return (nil, time)
        case .after(let delay):
            if delay > .zero { await wait(delay, context.channel) }
        }
        guard isRight() else {
            if end(of: peer, isRight: false) {
                context.logger.notice("Many wrong passwords", metadata: ["peer": "\(context.peer)"])
            }
            return (false, .zero)
        }
        _ = end(of: peer, isRight: true)
        _ = proven.withLock { $0.insert(connection) }
        context.channel.closeFuture.whenComplete { [proven] _ in _ = proven.withLock { $0.remove(connection) } }
        return (true, .zero)
    }

    /// Waits, but not for a client that is gone or a server that stops.
    private func wait(_ delay: Duration, _ channel: any Channel) async {
        let timer = Timers.after(delay) {}
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        try? await timer.futureResult.get()
    }

    /// Begins an attempt of `peer`. It counts as a wrong one until its ``end(of:isRight:at:)``, so that many at once are
    /// no more than the limit.
    package func turn(of peer: String, at now: ContinuousClock.Instant = .now) -> Turn {
        records.withLock { records in
            var record = records.record(of: peer, at: now) ?? Record()
            if let pendingUntil = record.pendingUntil { return .rejected(retryAfter: max(.zero, pendingUntil - now)) }
            let delay = delay(after: record.failureCount)
            record.failureCount += 1
            if delay > .zero { record.pendingUntil = now + delay }
            records.keep(record, of: peer, until: now + delay + Self.memory, at: now)
            return .after(delay)
        }
    }

    /// - Returns: whether it was the one with which the delays begin.
    package func end(of peer: String, isRight: Bool, at now: ContinuousClock.Instant = .now) -> Bool {
        records.withLock { records in
            guard var record = records.record(of: peer, at: now) else { return false }
            record.pendingUntil = nil
            // The wrong ones before it stay: others may share the address with one who guesses.
            if isRight { record.failureCount -= 1 }
            if record.failureCount > 0 {
                records.keep(record, of: peer, until: now + Self.memory, at: now)
            } else {
                records.forget(peer)
            }
            return !isRight && record.failureCount == limits.guesses
        }
    }

    /// The number of addresses that are remembered.
    package var count: Int { records.withLock(\.count) }

    private func delay(after failureCount: Int) -> Duration {
        guard failureCount >= limits.guesses else { return .zero }
        return Backoff(first: limits.guessDelay, limit: limits.guessDelayLimit)
            .delay(after: failureCount - limits.guesses)
    }
}
