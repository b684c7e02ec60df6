// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
package import NIOCore
import NIOPosix
package import NIOSSL
import ObscuraBase
import ObscuraMedia

/// A connection that says what the test wants said, byte for byte, and keeps what comes.
package final class RawConnection: Sendable {
    package struct Received: Sendable {
        package var bytes: [UInt8] = []
        package var isClosed = false

        package init() {}

        package var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The number in the first line; nil if there is none.
        package var status: Int? {
            start.hasPrefix("HTTP/1.") ? Int(start.dropFirst(9).prefix(3)) : nil
        }
        /// What a head of an answer fits in.
        private var start: String { String(decoding: bytes.prefix(4096), as: UTF8.self) }
        /// Whether a whole answer with a length is here.
        package var isWhole: Bool {
            guard let end = text.range(of: "\r\n\r\n") else { return false }
            guard let length = header("content-length").flatMap(Int.init) else { return isClosed }
            return text[end.upperBound...].utf8.count >= length
        }
        package var body: String { text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

        /// The value of a header of the first answer.
        package func header(_ name: String) -> String? {
            for line in start.components(separatedBy: "\r\n").dropFirst() {
                if line.isEmpty { return nil }
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                    return parts[1].trimmingCharacters(in: .whitespaces)
                }
            }
            return nil
        }
    }

    private struct State {
        var received = Received()
        var waiting: (isEnough: @Sendable (Received) -> Bool, answer: CheckedContinuation<Received, Never>)?

        mutating func due() -> CheckedContinuation<Received, Never>? {
            guard let waiting, received.isClosed || waiting.isEnough(received) else { return nil }
            self.waiting = nil
            return waiting.answer
        }
    }

    private final class Keeper: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let state = Lock(State())

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            change { $0.received.bytes += Array(bytes.readableBytesView) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            change { $0.received.isClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        func change(_ body: (inout State) -> Void) {
            let due = state.withLock { state in
                body(&state)
                return state.due().map { ($0, state.received) }
            }
            if let due { due.0.resume(returning: due.1) }
        }
    }

    package let channel: any Channel
    private let keeper: Keeper

    /// - Parameters:
    ///   - reads: false to take nothing of what comes.
    ///   - tls: to speak TLS, whatever certificate the server has.
    package init(port: Int, reads: Bool = true, tls: NIOSSLContext? = nil, receiveBuffer: Int? = nil) async throws {
        let keeper = Keeper()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(keeper)
                }
            }
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
        }
        channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        self.keeper = keeper
    }

    package func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Sends `text` each 20 ms, until it is cancelled.
    package func drip(_ text: String) -> RepeatedTask {
        channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { [channel] _ in
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }

    /// Waits until what came is enough, or the connection is closed, or the time is over.
    package func received(
        within limit: TimeAmount = .seconds(60), until isEnough: @escaping @Sendable (Received) -> Bool
    ) async -> Received {
        let timer = channel.eventLoop.scheduleTask(in: limit) { [keeper] in
            let due = keeper.state.withLock { state in
                let answer = state.waiting?.answer
                state.waiting = nil
                return answer.map { ($0, state.received) }
            }
            if let due { due.0.resume(returning: due.1) }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { answer in
            keeper.change { $0.waiting = (isEnough, answer) }
        }
    }

    /// Waits for one whole answer.
    package func answer() async -> Received {
        await received { $0.isWhole }
    }

    /// Waits until the other side has closed.
    package func closed(within limit: TimeAmount = .seconds(60)) async -> Received {
        await received(within: limit) { $0.isClosed }
    }

    /// The bytes that have come so far.
    package var receivedNow: Received { keeper.state.withLock { $0.received } }

    package func forget() {
        keeper.change { $0.received.bytes = [] }
    }

    package func close() {
        channel.close(promise: nil)
    }
}
