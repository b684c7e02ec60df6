// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Hummingbird
import Logging
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// A web server of somebody else, at 127.0.0.1.
enum TestWebServer {
    /// Runs the server while `body` runs, which gets its address without a slash at the end.
    static func run(
        _ routes: (Router<WebContext>) -> Void,
        _ body: @escaping @Sendable (_ address: String, _ port: Int) async throws -> Void
    ) async throws {
        let router = Router<WebContext>.web(errors: .studio)
        routes(router)
        let limits = RequestLimits()
        let server = WebServer(
            host: "127.0.0.1", port: 0, responder: router.buildResponder(), connections: Connections(limits: limits),
            limits: limits, logger: Logger(label: "test"))
        try await server.serve(at: try ListenAddress("127.0.0.1")) { address in
            let plain = String(address.dropLast())
            try await body(plain, try #require(plain.split(separator: ":").last.flatMap { Int($0) }))
        }
    }
}
