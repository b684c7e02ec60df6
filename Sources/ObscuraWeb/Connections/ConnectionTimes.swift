// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore

/// The time limits of a connection. A value type without side effects: its methods receive events and return expiries.
///
/// A client must not hold a connection while it sends or receives little or nothing. Time that the server takes, to
/// respond or while it does not read, does not count.
package struct ConnectionTimes {
    package enum Expiry: String, Sendable, CaseIterable {
        /// The head of a request, or the TLS handshake, took too long.
        case slowHead
        /// No further request arrived in time.
        case idle
        /// The body of the request arrives too slowly.
        case slowBody
        /// The response is complete, but the body of the request is still arriving.
        case unreadBody
        /// The client does not read the response.
        case stalledReader
        /// The client closed its side too long ago.
        case halfClosed
    }

    private enum Reading {
        /// No byte of the next request has arrived.
        case between(since: NIODeadline)
        case head(since: NIODeadline)
        /// The body of a request is arriving: `bytes` is the number of bytes received since the time `since`.
        case body(since: NIODeadline, bytes: Int)
        /// The response is complete. The rest of the request's body is received and discarded.
        case rest(since: NIODeadline, bytes: Int)
        /// The connection has become a WebSocket.
        case socket
    }

    private let limits: RequestLimits
    private var reading: Reading
    /// Number of requests whose response is incomplete.
    private var answers = 0
    private var inputClosedAt: NIODeadline?
    private var sent = 0
    private var lastProgress: NIODeadline

    package init(limits: RequestLimits, at now: NIODeadline) {
        self.limits = limits
        // The head of the first request is due from the start, since a new connection implies a request.
        reading = .head(since: now)
        lastProgress = now
    }

    /// Whether a response is in progress.
    package var isAnswering: Bool { answers > 0 }

    /// Whether the body of a request is incomplete.
    package var isReadingBody: Bool {
        switch reading {
        case .body, .rest: true
        case .between, .head, .socket: false
        }
    }

    package mutating func received(at now: NIODeadline) {
        if case .between = reading { reading = .head(since: now) }
    }

    package mutating func headEnded(at now: NIODeadline) {
        answers += 1
        reading = .body(since: now, bytes: 0)
    }

    package mutating func bodyCame(bytes: Int, at now: NIODeadline) {
        switch reading {
        case .body(let since, let count): reading = .body(since: since, bytes: count + bytes)
        case .rest(let since, let count): reading = .rest(since: since, bytes: count + bytes)
        case .between, .head, .socket: break
        }
    }

    package mutating func requestEnded(at now: NIODeadline) {
        reading = .between(since: now)
    }

    package mutating func answerEnded(at now: NIODeadline) {
        answers = max(0, answers - 1)
        guard answers == 0 else { return }
        switch reading {
        case .between: reading = .between(since: now)
        case .head: reading = .head(since: now)
        case .body: reading = .rest(since: now, bytes: 0)
        case .rest, .socket: break
        }
    }

    package mutating func becameSocket() {
        reading = .socket
        answers = 0
    }

    package mutating func inputClosed(at now: NIODeadline) {
        inputClosedAt = inputClosedAt ?? now
    }

    /// Returns the reason to close the connection; nil if no limit has expired.
    ///
    /// - Parameters:
    ///   - sent: number of bytes that the kernel has accepted so far.
    ///   - waiting: number of further bytes that are ready to send.
    ///   - isReading: whether the server reads from the connection.
    package mutating func expiry(sent: Int, waiting: Int, isReading: Bool, at now: NIODeadline) -> Expiry? {
        if waiting == 0 || sent != self.sent { lastProgress = now }
        self.sent = sent
        if now - lastProgress >= TimeAmount(limits.stallTime) { return .stalledReader }
        if let inputClosedAt, !isAnswering || now - inputClosedAt >= TimeAmount(limits.halfClosedTime) {
            return .halfClosed
        }
        switch reading {
        case .between(let since):
            return !isAnswering && now - since >= TimeAmount(limits.idleTime) ? .idle : nil
        case .head(let since):
            return !isAnswering && now - since >= TimeAmount(limits.headTime) ? .slowHead : nil
        case .body(let since, let bytes):
            if !isReading || bytes >= limits.bodyBytes {
                reading = .body(since: now, bytes: 0)
                return nil
            }
            return now - since >= TimeAmount(limits.bodyTime) ? .slowBody : nil
        case .rest(let since, let bytes):
            return bytes > limits.drainBytes || now - since >= TimeAmount(limits.drainTime) ? .unreadBody : nil
        case .socket:
            return nil
        }
    }

    /// Returns the interval of checks: short enough for the shortest limit, and at most one second.
    package static func interval(_ limits: RequestLimits) -> TimeAmount {
        let shortest =
            [
                limits.headTime, limits.idleTime, limits.bodyTime, limits.drainTime, limits.stallTime,
                limits.halfClosedTime,
            ].min() ?? .seconds(1)
        return min(.seconds(1), max(.milliseconds(10), TimeAmount(shortest / 4)))
    }
}
