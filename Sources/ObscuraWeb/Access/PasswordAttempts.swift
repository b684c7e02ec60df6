// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ObscuraBase
internal import ObscuraMedia

/// Limits the rate of password guesses.
///
/// The first wrong passwords of an address are answered at once. After that, the address has one attempt at a time,
/// each after twice the delay of the previous one. Its other requests are rejected without comparing the password,
/// since an immediate answer would reveal whether it was right. Connections that have presented the right password are
/// not affected.
package final class PasswordAttempts: Sendable {
    package enum Turn: Equatable {
        /// The password is compared after this delay.
        case after(Duration)
        /// The password is not compared; the client may try again after this time.
        case rejected(retryAfter: Duration)
    }

    private struct Record {
        var failureCount = 0
        /// End of the delay of the pending attempt; nil if there is none.
        var pendingUntil: ContinuousClock.Instant?
    }

    /// Time after which an address without further wrong passwords is forgotten.
    private static let memory = Duration.seconds(600)

    private let limits: RequestLimits
    private let records = Lock(PeerTable<Record>())
    /// Connections whose latest password was right.
    private let proven = Lock<Set<ObjectIdentifier>>([])

    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Compares a password, after the delay for its address.
    ///
    /// - Returns: whether the password is right, nil if it was not compared; and the time after which the client may
    ///   try again.
    package func judge(
        _ context: WebContext, isRight: () -> Bool
    ) async -> (isRight: Bool?, retryAfter: Duration) {
        let connection = ObjectIdentifier(context.channel)
        if proven.withLock({ $0.contains(connection) }) {
            if isRight() { return (true, .zero) }
            // A proxy may send the requests of several clients over one connection.
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

    /// Waits for the delay, or until the connection is closed, by the client or when the server stops.
    private func wait(_ delay: Duration, _ channel: any Channel) async {
        let timer = Timers.after(delay) {}
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        try? await timer.futureResult.get()
    }

    /// Starts an attempt of `peer`. It counts as wrong until ``end(of:isRight:at:)``, so that simultaneous attempts do
    /// not exceed the limit.
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

    /// - Returns: whether this wrong password is the one after which the delays begin.
    package func end(of peer: String, isRight: Bool, at now: ContinuousClock.Instant = .now) -> Bool {
        records.withLock { records in
            guard var record = records.record(of: peer, at: now) else { return false }
            record.pendingUntil = nil
            // Earlier wrong passwords remain counted: clients with the right password may share the address of an
            // attacker.
            if isRight { record.failureCount -= 1 }
            if record.failureCount > 0 {
                records.keep(record, of: peer, until: now + Self.memory, at: now)
            } else {
                records.forget(peer)
            }
            return !isRight && record.failureCount == limits.guesses
        }
    }

    /// Number of addresses with a record.
    package var count: Int { records.withLock(\.count) }

    private func delay(after failureCount: Int) -> Duration {
        guard failureCount >= limits.guesses else { return .zero }
        return Backoff(first: limits.guessDelay, limit: limits.guessDelayLimit)
            .delay(after: failureCount - limits.guesses)
    }
}
