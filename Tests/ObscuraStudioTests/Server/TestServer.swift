// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestClient
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// A server on a free port of this machine, for as long as a test runs.
struct TestServer: ServerUnderTest, Sendable {
    static let token = "0123456789abcdef-token"

    let port: Int
    /// As it was printed.
    let address: String
    let connections: Connections

    /// Starts one, runs `body` and stops it.
    static func run(
        _ limits: RequestLimits = RequestLimits(), configure: (inout StudioConfiguration) -> Void = { _ in },
        page: PageResources? = nil, routes: (Router<WebContext>) -> Void = { _ in },
        attach: (@Sendable (any Channel) -> EventLoopFuture<Void>)? = nil,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = StudioConfiguration(libraryFolder: "/nonexistent")
        configuration.port = 0
        configuration.token = token
        configure(&configuration)
        let router = Router<WebContext>.web(errors: .studio)
        ServerRoutes(version: "1.2.3").add(to: router)
        router.get("/secret") { _, _ in "the secret" }
        if let page { page.addRoutes(to: router) } else { router.get("/") { _, _ in "the page" } }
        router.post("/echo") { request, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: try await request.collect(upTo: limits.jsonBytes)))
        }
        routes(router)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try StudioHTTPServer(
            configuration, router: router, limits: limits, logger: logger,
            attach: attach ?? { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        PageSocket(eventLoop: channel.eventLoop, limits: limits))
                }
            })
        let (addresses, started) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            defer { started.finish() }
            try await server.run { started.yield($0) }
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = await iterator.next() else {
            try await task.value
            throw CancellationError()
        }
        let port = try #require(
            address.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap { Int($0) })
        let result = await Task {
            try await body(TestServer(port: port, address: address, connections: server.connections))
        }.result
        task.cancel()
        try await task.value
        try result.get()
    }

    var cookie: String { "Cookie: obscura-\(port)=\(Self.token)" }
    static let bearer = "Authorization: Bearer \(token)"
}
