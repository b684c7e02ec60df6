// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
package import NIOSSL

/// Sets up each connection: its guards, TLS, HTTP, and the WebSocket upgrade.
package struct WebChannel: ServerChildChannel, HTTPChannelHandler {
    package let responder: HTTPChannelHandler.Responder
    package let connections: Connections
    package let limits: RequestLimits
    /// The TLS settings; nil for plain HTTP.
    package let tls: NIOSSLContext?
    /// The WebSocket upgrade; nil if the server offers none.
    package let upgrade: WebSocketUpgrade?

    private struct TooManyConnections: Error {}

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<WebConnection> {
        guard connections.admit(channel) else {
            // The connection is not part of the server's pipeline, so it must be closed here.
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(TooManyConnections())
        }
        return channel.eventLoop.makeCompletedFuture { try setUp(channel, logger) }
            .flatMapErrorThrowing { error in
                channel.close(promise: nil)
                throw error
            }
    }

    package func handle(value: WebConnection, logger: Logger) async {
        // Fails if the connection closes before its first request.
        guard case .http(let channel)? = try? await value.kind.get() else { return }
        await handleHTTP(asyncChannel: channel, logger: logger)
    }

    private func setUp(_ channel: any Channel, _ logger: Logger) throws -> WebConnection {
        setOptions(channel)
        let pipeline = channel.pipeline.syncOperations
        let connection = ConnectionGuard(limits: limits, connections: connections, logger: logger)
        try pipeline.addHandler(connection)
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }

        var heads = NIOHTTPDecoderLimitConfiguration()
        heads.maxHeaderFieldSize = limits.headerBytes
        heads.maxHeaderListSize = limits.headerBytes
        heads.maxHeaderFieldCount = limits.headerCount
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: heads))
        let requests = RequestGuard(connection, upgrade: upgrade)
        try pipeline.addHandlers([encoder, decoder, requests])
        guard let upgrade else {
            return WebConnection(
                channel: channel, kind: channel.eventLoop.makeSucceededFuture(.http(try http(channel))))
        }
        let upgrader = NIOTypedHTTPServerUpgradeHandler(
            httpEncoder: encoder,
            extraHTTPHandlers: [decoder, requests],
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrade.upgrader(NIOLoopBound(connection, eventLoop: channel.eventLoop))],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture { .http(try http(channel)) }
                }))
        try pipeline.addHandler(upgrader)
        return WebConnection(channel: channel, kind: upgrader.upgradeResultFuture)
    }

    private func http(_ channel: any Channel) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: tls != nil))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Sets options for low latency: data is sent immediately, and the kernel's send buffer holds few older bytes.
    /// Errors are ignored: a socket that the client has already closed accepts no options, and will soon be detected as
    /// closed.
    private func setOptions(_ channel: any Channel) {
        let options = channel.syncOptions
        try? options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try? options?.setOption(.tcpOption(.unsentLimit), value: limits.unsentBytes)
        try? options?.setOption(
            .writeBufferWaterMark,
            value: .init(low: max(1, limits.waitingBytes / 4), high: max(2, limits.waitingBytes)))
    }
}

extension NIOBSDSocket.Option {
    /// Linux: TCP_NOTSENT_LOWAT.
    fileprivate static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)
}
