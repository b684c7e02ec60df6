// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
internal import NIOHTTPTypesHTTP1
package import NIOWebSocket

/// Makes a WebSocket of a request for one path, if it is let in. What is refused goes on as plain HTTP, and gets its
/// answer there.
package struct WebSocketUpgrade: Sendable {
    package let path: String
    /// Whether the connections speak TLS.
    package let isSecure: Bool
    /// Whether a request is let in, by its head.
    package let allows: @Sendable (HTTPRequest) -> Bool
    package let connections: Connections
    package let limits: RequestLimits
    /// Takes over a connection that speaks in frames from now on; it is called on the connection's event loop, and
    /// adds a ``PageSocket``.
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

    /// Whether it is a request that may become a WebSocket.
    package func isAsked(by head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.uri.prefix { $0 != "?" } == path
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    }

    /// - Parameter connection: the guard of the connection, which stays when those of HTTP go.
    package func upgrader(
        _ connection: NIOLoopBound<ConnectionGuard>
    ) -> NIOTypedWebSocketServerUpgrader<
        WebConnection.Kind
    > {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: limits.socketFrameBytes,
            enableAutomaticErrorHandling: false,
            // `RequestGuard` has asked already.
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in
                connection.value.times.becameSocket()
                let attached = attach(channel)
                attached.whenFailure { _ in channel.close(promise: nil) }
                return attached.map { WebConnection.Kind.socket }
            })
    }

    /// Whether it becomes a WebSocket; it then has one of the places for them.
    package func grants(_ head: HTTPRequestHead, on channel: any Channel) -> Bool {
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // 16 bytes in base64.
        guard isAsked(by: head), keys.count == 1, keys[0].utf8.count == 24,
            head.headers[canonicalForm: "sec-websocket-version"] == ["13"],
            let request = try? HTTPRequest(head, secure: isSecure, splitCookie: false), allows(request)
        else { return false }
        return connections.admitSocket(channel)
    }
}
