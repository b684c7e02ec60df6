// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import ObscuraWeb

/// The routes that describe the server itself.
struct ServerRoutes: Sendable {
    struct Health: Codable, Sendable, Equatable {
        var status: String
        var version: String
        /// Time since the server started, in seconds.
        var uptime: Double
    }

    let version: String
    private let start = ContinuousClock.now

    init(version: String) {
        self.version = version
    }

    /// Adds `/health`, and `/ws` for requests that ``WebSocketUpgrade`` did not upgrade.
    func add(to router: Router<WebContext>) {
        router.get("/health") { _, _ in
            let uptime = (ContinuousClock.now - start) / .milliseconds(1)
            return try Response.json(Health(status: "ok", version: version, uptime: uptime.rounded() / 1000))
        }
        router.get("/ws") { request, _ in
            let isAsked = request.headers[.secWebSocketKey] != nil && request.headers[.secWebSocketVersion] == "13"
            guard !isAsked else {
                return Response.error(
                    .serviceUnavailable,
                    APIError(
                        code: "tooMuch", message: "Too many pages are open, or this connection was used before.",
                        advice: "Close some pages, and try again on a new connection."))
            }
            var response = Response.error(
                .upgradeRequired, APIError(code: "invalidRequest", message: "WebSocket version 13 required."))
            response.headers[.upgrade] = "websocket"
            response.headers[.secWebSocketVersion] = "13"
            return response
        }
    }
}
