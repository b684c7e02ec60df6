// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Hummingbird
import NIOCore
import Obscura
import TestClient
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct MultipartPicturesTests {
    private struct Feed: Sendable {
        let pictures: AsyncStream<ByteBuffer>
        let source: AsyncStream<ByteBuffer>.Continuation
        let ends = Count()

        init() {
            (pictures, source) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(1))
        }

        func end() {
            ends.add()
            source.finish()
        }

        /// Waits until the answer is over.
        func isOver() async -> Bool { await ends.reaches(1) }
    }

    private func run(
        _ feed: Feed, _ body: @escaping @Sendable (TestServer, RawConnection) async throws -> Void
    ) async throws {
        try await TestServer.run(routes: { router in
            router.get("/cameras/{id}/stream.mjpeg") { request, _ in
                MultipartPictures.response(feed.pictures, for: request) { feed.end() }
            }
        }) { server in
            let connection = try await RawConnection(port: server.port)
            try await connection.send(
                "GET /cameras/1/stream.mjpeg?token=\(TestServer.token) HTTP/1.1\r\n"
                    + "Host: 127.0.0.1:\(server.port)\r\n\r\n")
            try await body(server, connection)
        }
    }

    /// What the client has once the chunks of HTTP are taken off.
    private static func content(_ received: RawConnection.Received) -> String {
        var rest = received.body.utf8[...]
        var content = ""
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), count > 0 else { break }
            let data = rest[end...].dropFirst(2)
            guard data.count >= count + 2 else { break }
            content += String(decoding: data.prefix(count), as: UTF8.self)
            rest = data.dropFirst(count + 2)
        }
        return content
    }

    @Test func theHeadOfTheNextPartComesRightBehindEachPicture() async throws {
        let feed = Feed()
        try await run(feed) { _, connection in
            let mark = "--\(MultipartPictures.boundary)"
            let head = "\(mark)\r\nContent-Type: image/jpeg\r\n\r\n"
            let first = await connection.received { Self.content($0) == head }
            #expect(Self.content(first) == head)
            #expect(first.status == 200)
            #expect(
                first.header("content-type") == "multipart/x-mixed-replace; boundary=\(MultipartPictures.boundary)")
            #expect(first.header("cache-control") == "no-store")
            feed.source.yield(ByteBuffer(string: "one"))
            let one = await connection.received { Self.content($0) == "\(head)one\r\n\(head)" }
            #expect(Self.content(one) == "\(head)one\r\n\(head)")
            feed.source.yield(ByteBuffer(string: "two"))
            let two = await connection.received { Self.content($0).hasSuffix("two\r\n\(head)") }
            #expect(Self.content(two) == "\(head)one\r\n\(head)two\r\n\(head)")
            feed.source.finish()
            let all = await connection.closed()
            #expect(Self.content(all) == "\(head)one\r\n\(head)two\r\n\(head)\r\n\(mark)--\r\n")
            #expect(all.text.hasSuffix("0\r\n\r\n"))
        }
        #expect(feed.ends.now > 0)
    }

    @Test func whoLeavesIsNoticedThoughNoPictureComes() async throws {
        let feed = Feed()
        try await run(feed) { _, connection in
            _ = await connection.received { $0.text.contains("image/jpeg\r\n\r\n") }
            connection.close()
            #expect(await feed.isOver())
        }
    }

    @Test func whoOnlyClosesHisSideIsNoticedAsWell() async throws {
        let feed = Feed()
        try await run(feed) { _, connection in
            _ = await connection.received { $0.text.contains("image/jpeg\r\n\r\n") }
            try await connection.channel.close(mode: .output).get()
            #expect(await feed.isOver())
            #expect(await connection.closed().isClosed)
        }
    }

    @Test func aHeadRequestStartsNothing() async throws {
        let feed = Feed()
        try await run(feed) { server, connection in
            let answer = try await server.get(
                "/cameras/1/stream.mjpeg?token=\(TestServer.token)", method: "HEAD")
            #expect(answer.status == 200 && answer.body.isEmpty)
            connection.close()
        }
    }

    @Test func aStrangerGetsNoPicture() async throws {
        let feed = Feed()
        try await run(feed) { server, connection in
            feed.source.yield(ByteBuffer(string: "picture"))
            for path in ["/cameras/1/stream.mjpeg", "/cameras/1/stream.mjpeg?token=x"] {
                let answer = try await server.get(path)
                #expect(answer.status == 401 && !answer.text.contains("picture"))
            }
            connection.close()
        }
    }
}
