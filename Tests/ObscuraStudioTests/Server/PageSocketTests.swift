// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Hummingbird
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Obscura
import ObscuraBase
import TestClient
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// WebSockets over real connections, with frames made by hand.
@Suite(.serialized) struct PageSocketTests {
    /// What the server's side of a socket met with.
    private final class Owner: Sendable {
        private let events = Watched<[String]>([])
        private let socket = Lock<NIOLoopBound<PageSocket>?>(nil)
        let limits: RequestLimits

        init(_ limits: RequestLimits = RequestLimits()) {
            self.limits = limits
        }

        var all: [String] { events.value }

        @Sendable func attach(_ channel: any Channel) -> EventLoopFuture<Void> {
            channel.eventLoop.makeCompletedFuture {
                let page = PageSocket(eventLoop: channel.eventLoop, limits: limits)
                page.onText = { [self, weak page] text in
                    note("text \(text)")
                    switch text {
                    case "echo": page?.send(text: "écho")
                    case "picture":
                        page?.send(binary: ByteBuffer(repeating: 7, count: 100_000), header: ByteBuffer(bytes: 0..<24))
                    case "bye": page?.close(.goingAway)
                    case "flood":
                        let picture = ByteBuffer(repeating: 7, count: 1 << 20)
                        for _ in 0..<40 { page?.send(binary: picture, header: ByteBuffer(bytes: 0..<24)) }
                        note("unsent \(page?.unsentBytes ?? 0 <= limits.socketUnsentBytes + (1 << 20) + 200)")
                    default: break
                    }
                }
                page.onClose = { [self] in note("closed") }
                socket.withLock { $0 = NIOLoopBound(page, eventLoop: channel.eventLoop) }
                try channel.pipeline.syncOperations.addHandler(page)
            }
        }

        private func note(_ event: String) { events.change { $0.append(event) } }

        /// Waits until an event came.
        func sees(_ event: String) async -> Bool { await events.reaches { $0.contains(event) } }
    }

    /// A frame as a browser sends it.
    private static func frame(_ first: UInt8, _ data: [UInt8] = [], isMasked: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = [first]
        let mark: UInt8 = isMasked ? 0x80 : 0
        switch data.count {
        case ..<126: bytes.append(mark | UInt8(data.count))
        case ..<65536: bytes += [mark | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
        default: bytes += [mark | 127] + (0..<8).reversed().map { UInt8(data.count >> ($0 * 8) & 255) }
        }
        guard isMasked else { return bytes + data }
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return bytes + key + data.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    private static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    /// The frames that the server sent, as (first byte, data).
    private static func frames(_ bytes: [UInt8]) -> [(first: UInt8, data: [UInt8])] {
        var frames: [(UInt8, [UInt8])] = []
        var rest = bytes[...]
        while rest.count >= 2 {
            let first = rest[rest.startIndex]
            var count = Int(rest[rest.startIndex + 1])
            var head = 2
            if count == 126 || count == 127 {
                let width = count == 126 ? 2 : 8
                guard rest.count >= 2 + width else { break }
                count = rest.dropFirst(2).prefix(width).reduce(0) { $0 << 8 | Int($1) }
                head += width
            }
            guard rest.count >= head + count else { break }
            frames.append((first, Array(rest.dropFirst(head).prefix(count))))
            rest = rest.dropFirst(head + count)
        }
        return frames
    }

    /// A head that is right but for what the test names. An empty `origin` or `access` stands for none.
    private static func head(
        _ server: TestServer, path: String = "/ws", origin: String? = nil, access: String? = nil,
        key: String? = "dGhlIHNhbXBsZSBub25jZQ==", version: String = "13"
    ) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Connection: keep-alive, Upgrade",
            "Upgrade: websocket", "Sec-WebSocket-Version: \(version)",
        ]
        if let origin {
            if !origin.isEmpty { lines.append("Origin: \(origin)") }
        } else {
            lines.append("Origin: http://127.0.0.1:\(server.port)")
        }
        let access = access ?? server.cookie
        if !access.isEmpty { lines.append(access) }
        if let key { lines.append("Sec-WebSocket-Key: \(key)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func open(_ server: TestServer, reads: Bool = true) async throws -> RawConnection {
        let connection = try await RawConnection(port: server.port)
        try await connection.send(head(server))
        let answer = await connection.received { $0.text.contains("\r\n\r\n") }
        #expect(answer.status == 101)
        #expect(answer.header("sec-websocket-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        connection.forget()
        if !reads { try await connection.channel.setOption(.autoRead, value: false).get() }
        return connection
    }

    /// Waits for so many frames.
    private static func next(_ connection: RawConnection, _ count: Int = 1) async -> [(first: UInt8, data: [UInt8])] {
        frames(await connection.received { frames($0.bytes).count >= count }.bytes)
    }

    /// Sends what is against the rules and returns the code with which it is closed.
    private static func code(_ server: TestServer, _ bytes: [UInt8]) async throws -> Int? {
        let connection = try await open(server)
        try await connection.send(bytes)
        let frames = frames(await connection.closed().bytes)
        guard let last = frames.last, last.first == 0x88, last.data.count >= 2 else { return nil }
        return Int(last.data[0]) << 8 | Int(last.data[1])
    }

    @Test func textAndPicturesPass() async throws {
        let owner = Owner()
        try await TestServer.run(attach: owner.attach) { server in
            let connection = try await Self.open(server)
            try await connection.send(Self.text("echo"))
            let echo = await Self.next(connection)
            #expect(echo.first?.first == 0x81 && echo.first?.data == Array("écho".utf8))
            connection.forget()
            try await connection.send(Self.text("picture"))
            let picture = await Self.next(connection)
            // One message in one frame: the header, and right behind it the picture.
            #expect(picture.count == 1 && picture.first?.first == 0x82)
            #expect(picture.first?.data == Array(0..<24) + [UInt8](repeating: 7, count: 100_000))
            connection.close()
            #expect(await owner.sees("closed"))
        }
        #expect(owner.all == ["text echo", "text picture", "closed"])
    }

    @Test func aMessageMayComeInPiecesWithAPingBetween() async throws {
        var limits = RequestLimits()
        // Of ours there is to be none.
        limits.pingInterval = .seconds(60)
        let owner = Owner(limits)
        try await TestServer.run(limits, attach: owner.attach) { server in
            let connection = try await Self.open(server)
            let pieces =
                Self.frame(0x01, Array("ec".utf8)) + Self.frame(0x89, [1, 2, 3]) + Self.frame(0x00, [])
                + Self.frame(0x80, Array("ho".utf8))
            for byte in pieces { try await connection.send([byte]) }
            let frames = await Self.next(connection, 2)
            #expect(frames.map(\.first) == [0x8A, 0x81])
            #expect(frames.first?.data == [1, 2, 3])
            connection.close()
        }
    }

    @Test func onlyAPageOfOursWhoKnowsTheTokenGetsASocket() async throws {
        let owner = Owner()
        try await TestServer.run(attach: owner.attach) { server in
            let refused: [(String, Int)] = [
                (Self.head(server, access: ""), 401),
                (Self.head(server, access: "Cookie: obscura-\(server.port)=x"), 401),
                (Self.head(server, origin: ""), 403), (Self.head(server, origin: "null"), 403),
                (Self.head(server, origin: "http://evil.example"), 403),
                (Self.head(server, origin: "http://localhost:\(server.port)"), 403),
                (Self.head(server, origin: "https://127.0.0.1:\(server.port)"), 403),
                (Self.head(server, key: nil), 426), (Self.head(server, version: "8"), 426),
                (Self.head(server, path: "/secret"), 200), (Self.head(server, path: "/ws/x"), 404),
                (Self.head(server, path: "/%77s"), 404), (Self.head(server, path: "//ws"), 400),
            ]
            for (head, status) in refused {
                let connection = try await RawConnection(port: server.port)
                try await connection.send(head)
                let answer = await connection.closed()
                #expect(answer.status == status, "\(head)")
                #expect(answer.header("content-security-policy") != nil)
            }
            let withBody = try await RawConnection(port: server.port)
            try await withBody.send(
                Self.head(server).replacing("Upgrade: websocket", with: "Upgrade: websocket\r\nContent-Length: 5")
                    + "hello")
            #expect(await withBody.closed().status == 400)
            #expect(server.connections.counts.sockets == 0)
        }
        #expect(owner.all.isEmpty)
    }

    @Test func whatBreaksTheRulesIsClosedWithTheRightCode() async throws {
        var limits = RequestLimits()
        limits.closingTime = .milliseconds(50)
        let owner = Owner(limits)
        try await TestServer.run(attach: owner.attach) { server in
            let cases: [([UInt8], Int)] = [
                (Self.frame(0x81, [65], isMasked: false), 1002),
                (Self.frame(0x82, [1]), 1003),
                (Self.frame(0x83), 1002),
                (Self.frame(0x8B), 1002),
                (Self.frame(0x80, [65]), 1002),
                (Self.frame(0xC1, [65]), 1002),
                (Self.frame(0x81, [0xFF]), 1007),
                (Self.frame(0x09, [1]), 1002),
                (Self.frame(0x89, [UInt8](repeating: 1, count: 126)), 1002),
                (Self.frame(0x88, [1]), 1002),
                (Self.frame(0x88, [0x03, 0xED]), 1002),
                (Self.frame(0x81, [UInt8](repeating: 65, count: 16_385)), 1009),
                (Self.frame(0x81, [UInt8](repeating: 65, count: 65_537)), 1009),
                // A frame that only says that it will be huge.
                ([0x81, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4], 1009),
                ([0x81, 0xFF, 0xFF, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4], 1009),
                (Self.text("bye"), 1001),
                (Self.frame(0x88, [0x0F, 0xA0]), 4000),
            ]
            for (bytes, expected) in cases {
                let code = try await Self.code(server, bytes)
                #expect(code == expected, "\(bytes.prefix(16))")
            }
        }
        #expect(owner.all.filter { $0.hasPrefix("text") } == ["text bye"])
    }

    @Test func aClosingIsAnsweredAndEndsTheConnection() async throws {
        let owner = Owner()
        try await TestServer.run(attach: owner.attach) { server in
            let connection = try await Self.open(server)
            try await connection.send(Self.frame(0x88) + Self.text("too late"))
            let received = await connection.closed()
            #expect(received.bytes == [0x88, 0])
            #expect(await owner.sees("closed"))
        }
        #expect(owner.all == ["closed"])
    }

    @Test func aPageThatIsSilentIsPingedAndCutOff() throws {
        let limits = RequestLimits()
        let loop = EmbeddedEventLoop()
        func page() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handler: PageSocket(eventLoop: loop, limits: limits), loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }
        let (silent, answering) = (try page(), try page())
        for second in stride(from: 5, through: 60, by: 5) {
            loop.advanceTime(by: .seconds(5))
            let isPinged = try silent.readOutbound(as: WebSocketFrame.self)?.opcode == .ping
            #expect(isPinged == (second < 15) && silent.isActive == (second < 15), "after \(second) s")
            #expect(try answering.readOutbound(as: WebSocketFrame.self)?.opcode == .ping)
            try answering.writeInbound(
                WebSocketFrame(fin: true, opcode: .pong, maskKey: [1, 2, 3, 4], data: ByteBuffer()))
        }
        #expect(answering.isActive)
        _ = try answering.finish()
    }

    @Test func aPageThatTakesNothingIsClosedBeforeItFillsTheMemory() async throws {
        var limits = RequestLimits()
        limits.silenceTime = .seconds(60)
        let owner = Owner(limits)
        try await TestServer.run(limits, attach: owner.attach) { server in
            let connection = try await Self.open(server, reads: false)
            try await connection.send(Self.text("flood"))
            #expect(await owner.sees("closed"))
            connection.close()
        }
        #expect(owner.all == ["text flood", "unsent true", "closed"])
    }

    @Test func thereAreOnlySoManySocketsAndTheirPlacesComeFree() async throws {
        var limits = RequestLimits()
        limits.sockets = 2
        let owner = Owner(limits)
        try await TestServer.run(limits, attach: owner.attach) { server in
            let first = try await Self.open(server)
            let second = try await Self.open(server)
            let third = try await RawConnection(port: server.port)
            try await third.send(Self.head(server))
            #expect(await third.closed().status == 503)
            first.close()
            #expect(await owner.sees("closed"))
            let fourth = try await Self.open(server)
            second.close()
            fourth.close()
        }
    }
}
