// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore

/// What a connection has to do until when. A pure value: it is told what happens, and says whether time is up.
///
/// A client may not hold a connection by doing nothing, or next to nothing. But the time that we take ourselves, for
/// an answer or because we do not read, never counts against it.
package struct ConnectionTimes {
    package enum Expiry: String, Sendable, CaseIterable {
        /// No whole head came (nor a whole handshake of TLS).
        case slowHead
        /// No further request came.
        case idle
        /// The body trickles.
        case slowBody
        /// The answer is given, and still the body comes.
        case unreadBody
        /// The answer is ready, and nobody takes it.
        case stalledReader
        /// The client closed its side long ago.
        case halfClosed
    }

    private enum Reading {
        /// No byte of the next request is here.
        case between(since: NIODeadline)
        case head(since: NIODeadline)
        /// `bytes` came since `since`.
        case body(since: NIODeadline, bytes: Int)
        /// Nobody waits for the rest of the body.
        case rest(since: NIODeadline, bytes: Int)
        /// It is no HTTP any more.
        case socket
    }

    private let limits: RequestLimits
    private var reading: Reading
    /// Requests of which the answer is not whole.
    private var answers = 0
    private var inputClosedAt: NIODeadline?
    private var sent = 0
    private var lastProgress: NIODeadline

    package init(limits: RequestLimits, at now: NIODeadline) {
        self.limits = limits
        // The head of the first request is due from the start: a connection is opened to say something.
        reading = .head(since: now)
        lastProgress = now
    }

    /// Whether an answer is under way.
    package var isAnswering: Bool { answers > 0 }

    /// Whether the body of a request is still to come.
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

    /// Whether it is to be closed, and why.
    ///
    /// - Parameters:
    ///   - sent: how many bytes the kernel has taken of us so far.
    ///   - waiting: how many more are ready.
    ///   - isReading: whether we read what comes.
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

    /// How often to ask: often enough for the shortest limit, and at the most once a second.
    package static func interval(_ limits: RequestLimits) -> TimeAmount {
        let shortest =
            [
                limits.headTime, limits.idleTime, limits.bodyTime, limits.drainTime, limits.stallTime,
                limits.halfClosedTime,
            ].min() ?? .seconds(1)
        return min(.seconds(1), max(.milliseconds(10), TimeAmount(shortest / 4)))
    }
}
