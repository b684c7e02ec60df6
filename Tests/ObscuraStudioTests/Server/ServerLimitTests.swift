// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import HTTPTypes
import Hummingbird
import NIOCore
import Obscura
import ObscuraBase
import TestClient
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// Clients that are slow, greedy or many, over real connections.
@Suite(.serialized) struct ServerLimitTests {
    /// Limits that a test can wait for.
    private func limits(_ change: (inout RequestLimits) -> Void) -> RequestLimits {
        var limits = RequestLimits()
        change(&limits)
        return limits
    }

    private func expectCutOff(
        _ reason: ConnectionTimes.Expiry, _ server: TestServer, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect((server.connections.counts.cutOff[reason] ?? 0) >= 1, sourceLocation: sourceLocation)
    }

    @Test func slowHeadersAreCutOff() async throws {
        try await TestServer.run(limits { $0.headTime = .milliseconds(800) }) { server in
            let silent = try await RawConnection(port: server.port)
            let slow = try await RawConnection(port: server.port)
            try? await slow.send("GET /secret HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n")
            let dripping = slow.drip("X: y\r\n")
            #expect(await silent.closed().bytes.isEmpty)
            #expect(await slow.closed().bytes.isEmpty)
            dripping.cancel()
            expectCutOff(.slowHead, server)
            #expect(try await server.get("/health").status == 200)
        }
    }

    @Test func aConnectionThatIsNotUsedAnyMoreIsClosed() async throws {
        try await TestServer.run(limits { $0.idleTime = .milliseconds(200) }) { server in
            let connection = try await RawConnection(port: server.port)
            try await connection.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
            let answer = await connection.closed()
            #expect(answer.status == 200 && answer.isClosed)
            expectCutOff(.idle, server)
        }
    }

    @Test func aSlowBodyIsCutOff() async throws {
        try await TestServer.run(
            limits {
                $0.bodyTime = .milliseconds(200)
                $0.bodyBytes = 1000
            }
        ) { server in
            let connection = try await RawConnection(port: server.port)
            try await connection.send(
                "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
                    + "Content-Length: 100000\r\n\r\n")
            let dripping = connection.drip("a")
            let answer = await connection.closed()
            dripping.cancel()
            #expect(answer.isClosed && answer.status != 200)
            expectCutOff(.slowBody, server)
        }
    }

    @Test func aReaderThatStallsIsCutOffWhileAnotherGoesOn() async throws {
        // Pictures of 100 KB, as fast as the reader takes them.
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let isOver: Lock<Bool>
            let picture = ByteBuffer(repeating: 0xAB, count: 100_000)
            func makeAsyncIterator() -> Self { self }
            mutating func next() async -> ByteBuffer? {
                await Task.yield()
                return isOver.withLock(\.self) ? nil : picture
            }
        }
        let ended = Lock(0)
        try await TestServer.run(
            limits { $0.stallTime = .seconds(2) },
            routes: { router in
                router.get("/stream") { request, _ in
                    let isOver = Lock(false)
                    return MultipartPictures.response(Endless(isOver: isOver), for: request) {
                        isOver.withLock { $0 = true }
                        ended.withLock { $0 += 1 }
                    }
                }
            }
        ) { server in
            let request = "GET /stream HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n\r\n"
            let stalled = try await RawConnection(port: server.port, reads: false)
            try await stalled.send(request)
            let live = try await RawConnection(port: server.port)
            try await live.send(request)
            // When the one is cut off, the other has had many pictures and still gets them.
            let deadline = HostTime.now + waitLimit
            while server.connections.counts.cutOff.isEmpty, HostTime.now < deadline {
                #expect(await live.received { $0.bytes.count > 2_000_000 }.isClosed == false)
                live.forget()
            }
            expectCutOff(.stalledReader, server)
            #expect(server.connections.counts.cutOff == [.stalledReader: 1])
            live.forget()
            #expect(await live.received { $0.bytes.count > 1_000_000 }.isClosed == false)
            live.close()
        }
        #expect(ended.withLock(\.self) >= 2)
    }

    @Test func whenAllPlacesAreTakenOneIsClosedAtOnceAndPlacesComeFreeAgain() async throws {
        try await TestServer.run(limits { $0.connections = 8 }) { server in
            // A page that is connected before the attack goes on through it.
            let page = try await RawConnection(port: server.port)
            let request = "GET /secret HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n\r\n"
            try await page.send(request)
            #expect(await page.answer().status == 200)
            var silent: [RawConnection] = []
            for _ in 0..<27 { silent.append(try await RawConnection(port: server.port)) }
            // Seven of them find a place; which ones is a matter of luck.
            #expect(await becomes { silent.count { $0.receivedNow.isClosed } == 20 })
            #expect(server.connections.counts.refused == 20)
            page.forget()
            try await page.send(request)
            #expect(await page.answer().status == 200)
            for connection in silent { connection.close() }
            // The server hears of the closed connections one after the other.
            var status: Int?
            for _ in 0..<1000 where status != 200 { status = try? await server.get("/health").status }
            #expect(status == 200)
        }
    }

    @Test func thousandsOfConnectionsEndTheirTimeAndNotTheServer() async throws {
        try await TestServer.run(
            limits {
                $0.connections = 64
                $0.headTime = .milliseconds(500)
            }
        ) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<250 {
                            let connection = try await RawConnection(port: server.port)
                            connection.close()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await server.get("/health").status == 200)
            #expect(server.connections.counts.accepted > 900)
        }
    }

    @Test func aClientThatClosesItsSideGetsItsAnswer() async throws {
        try await TestServer.run { server in
            let connection = try await RawConnection(port: server.port)
            try await connection.send(
                "GET /secret HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n\r\n")
            try await connection.channel.close(mode: .output).get()
            let answer = await connection.closed()
            #expect(answer.status == 200 && answer.body == "the secret")
        }
    }

    @Test func peersAreCountedByAddressAndNetworkButNotThisMachine() throws {
        func peer(_ text: String) throws -> Peer { Peer(try SocketAddress(ipAddress: text, port: 1)) }
        #expect(try peer("127.0.0.1").isLoopback)
        #expect(try peer("127.9.9.9").isLoopback)
        #expect(try peer("::1").isLoopback)
        #expect(try peer("::ffff:127.0.0.1").isLoopback)
        #expect(try !peer("::ffff:10.0.0.1").isLoopback)
        #expect(try !peer("10.0.0.1").isLoopback)
        #expect(try peer("::ffff:10.0.0.1") == peer("10.0.0.1"))
        #expect(try peer("2001:db8:1:2::1") == peer("2001:db8:1:2:ffff::9"))
        #expect(try peer("2001:db8:1:2::1") != peer("2001:db8:1:3::1"))
        #expect(try peer("10.0.0.1") != peer("10.0.0.2"))
        #expect(!Peer(nil).isLoopback)
    }
}
