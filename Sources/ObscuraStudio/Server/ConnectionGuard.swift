// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import NIOCore

/// Stands next to the socket, below TLS and HTTP, and closes the connection when its time is up.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Told of requests and answers by those above.
    var times: ConnectionTimes
    private let limits: RequestLimits
    private let connections: Connections
    private let logger: Logger
    private var written = 0
    private var isReading = false
    private var timer: Scheduled<Void>?

    init(limits: RequestLimits, connections: Connections, logger: Logger) {
        self.limits = limits
        self.connections = connections
        self.logger = logger
        times = ConnectionTimes(limits: limits, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        look(at: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        times.received(at: .now())
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Whoever wants more says so at once, in here.
        isReading = false
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { times.inputClosed(at: .now()) }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    private func look(at context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionTimes.interval(limits)) {
            self.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return look(at: context) }
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let expiry = times.expiry(sent: written - waiting, waiting: waiting, isReading: isReading, at: .now())
        guard let expiry else { return look(at: context) }
        logger.debug("Connection closed", metadata: ["reason": "\(expiry.rawValue)"])
        connections.noteCutOff(expiry)
        context.close(promise: nil)
    }
}
