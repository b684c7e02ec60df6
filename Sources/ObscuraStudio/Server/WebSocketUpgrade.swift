// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1
internal import NIOWebSocket

/// Makes a WebSocket of a request for `/ws`, if the gate says so. What is refused goes on as plain HTTP, and gets
/// its answer from the gate or from the route.
struct WebSocketUpgrade: Sendable {
    /// Nil as long as it is not known where we listen.
    let gate: @Sendable () -> AccessGate?
    let connections: Connections
    let limits: RequestLimits
    /// Takes over a connection that speaks in frames from now on; it is called on the connection's event loop, and
    /// adds a ``PageSocket``.
    let attach: @Sendable (any Channel) -> EventLoopFuture<Void>

    /// Whether it is a request that may become a WebSocket.
    static func isAsked(by head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.uri.prefix { $0 != "?" } == AccessGate.socketPath
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    }

    /// - Parameter connection: the guard of the connection, which stays when those of HTTP go.
    func upgrader(
        _ connection: NIOLoopBound<ConnectionGuard>
    ) -> NIOTypedWebSocketServerUpgrader<
        StudioConnection.Kind
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
                return attached.map { StudioConnection.Kind.socket }
            })
    }

    /// Whether it becomes a WebSocket; it then has one of the places for them.
    func grants(_ head: HTTPRequestHead, on channel: any Channel) -> Bool {
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // 16 bytes in base64.
        guard Self.isAsked(by: head), keys.count == 1, keys[0].utf8.count == 24,
            head.headers[canonicalForm: "sec-websocket-version"] == ["13"], let gate = gate(),
            let request = try? HTTPRequest(head, secure: gate.names.scheme == "https", splitCookie: false),
            case .allow = gate.judge(AccessGate.Request(request))
        else { return false }
        return connections.admitSocket(channel)
    }
}
