// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
internal import NIOHTTPTypesHTTP1
package import NIOWebSocket

/// Upgrades an admitted request for one path to a WebSocket. A rejected request gets its response by plain HTTP.
package struct WebSocketUpgrade: Sendable {
    package let path: String
    /// Whether the connections use TLS.
    package let isSecure: Bool
    /// Whether to admit a request, by its head.
    package let allows: @Sendable (HTTPRequest) -> Bool
    package let connections: Connections
    package let limits: RequestLimits
    /// Takes over an upgraded connection: adds a ``PageSocket``. Called on the connection's event loop.
    package let attach: @Sendable (any Channel) -> EventLoopFuture<Void>

    package init(
        path: String, isSecure: Bool, allows: @escaping @Sendable (HTTPRequest) -> Bool, connections: Connections,
        limits: RequestLimits, attach: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) {
        self.path = path
        self.isSecure = isSecure
        self.allows = allows
        self.connections = connections
        self.limits = limits
        self.attach = attach
    }

    /// Whether the request asks for a WebSocket at the path of this upgrade.
    package func isAsked(by head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.uri.prefix { $0 != "?" } == path
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    }

    /// - Parameter connection: the guard of the connection, which remains when the HTTP handlers are removed.
    package func upgrader(
        _ connection: NIOLoopBound<ConnectionGuard>
    ) -> NIOTypedWebSocketServerUpgrader<
        WebConnection.Kind
    > {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: limits.socketFrameBytes,
            enableAutomaticErrorHandling: false,
            // `RequestGuard` has already checked the request.
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in
                connection.value.times.becameSocket()
                let attached = attach(channel)
                attached.whenFailure { _ in channel.close(promise: nil) }
                return attached.map { WebConnection.Kind.socket }
            })
    }

    /// Whether the request is upgraded; if so, it counts toward the limit of WebSockets.
    package func grants(_ head: HTTPRequestHead, on channel: any Channel) -> Bool {
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // The length of 16 bytes in base64.
        guard isAsked(by: head), keys.count == 1, keys[0].utf8.count == 24,
            head.headers[canonicalForm: "sec-websocket-version"] == ["13"],
            let request = try? HTTPRequest(head, secure: isSecure, splitCookie: false), allows(request)
        else { return false }
        return connections.admitSocket(channel)
    }
}
