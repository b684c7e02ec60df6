// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMetrics
import Foundation
import ObscuraMedia
import ObscuraMetrics
import TestClient
import Testing

@Suite struct MetricsServerTests {
    private struct Server: ServerUnderTest {
        let port: Int
    }

    @Test(.timeLimit(.minutes(1))) func `It serves what the metrics are at that time`() async throws {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "frames", factory: metrics)
        try await MetricsServer(metrics, address: "127.0.0.1:0").serve { address in
            let url = try #require(URL(string: address))
            #expect(url.path == "/metrics" && url.host == "127.0.0.1")
            let server = Server(port: try #require(url.port))
            counter.increment()
            let answer = try await server.get("/metrics")
            #expect(answer.status == 200 && answer.body == metrics.text)
            #expect(answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.header("cache-control") == "no-store")
            counter.increment()
            #expect(try await server.get("/metrics").body.contains("frames_total 2.0\n"))
            #expect(try await server.get("/metrics", method: "HEAD").body.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `Other paths, methods and hosts are rejected`() async throws {
        try await MetricsServer(PrometheusMetrics(), address: "127.0.0.1:0").serve { address in
            let server = Server(port: try #require(URL(string: address)?.port))
            for (path, status) in [("/", 404), ("/metrics/", 400), ("/metrics/../etc/passwd", 400), ("/x", 404)] {
                #expect(try await server.get(path).status == status, "\(path)")
            }
            #expect(try await server.get("/metrics", method: "POST").status == 405)
            let foreign = try await server.ask(
                "GET /metrics HTTP/1.1", "Host: attacker.example:\(server.port)", "Connection: close")
            #expect(foreign.status == 403)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `A port in use and an invalid address are errors`() async throws {
        try await MetricsServer(PrometheusMetrics(), address: "127.0.0.1:0").serve { address in
            let port = try #require(URL(string: address)?.port)
            let second = try MetricsServer(PrometheusMetrics(), address: "127.0.0.1:\(port)")
            let error = await #expect(throws: ObscuraError.self) { try await second.serve { _ in } }
            #expect(error?.code == .cannotListen && error?.reason == "the port is in use")
        }
        for address in ["9100", "", "host", "a b:1", ":65536"] {
            let error = #expect(throws: ObscuraError.self) {
                try MetricsServer(PrometheusMetrics(), address: address)
            }
            #expect(error?.code == .cannotListen, "\(address)")
        }
    }
}
