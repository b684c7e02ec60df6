// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Logging
package import NIOCore

/// A handler next to the socket, below TLS and HTTP, that closes the connection when a time limit expires.
package final class ConnectionGuard: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    /// The state of the time limits, updated by the handlers above for requests and responses.
    package var times: ConnectionTimes
    private let limits: RequestLimits
    private let connections: Connections
    private let logger: Logger
    private var written = 0
    private var isReading = false
    private var timer: Scheduled<Void>?

    package init(limits: RequestLimits, connections: Connections, logger: Logger) {
        self.limits = limits
        self.connections = connections
        self.logger = logger
        times = ConnectionTimes(limits: limits, at: .now())
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        look(at: context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    package func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        times.received(at: .now())
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        // A handler above that needs more data requests it during the following call.
        isReading = false
        context.fireChannelReadComplete()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { times.inputClosed(at: .now()) }
        context.fireUserInboundEventTriggered(event)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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
