// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import HTTPTypes
import Hummingbird
import ObscuraBase
import TestClient
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite struct FileResponseTests {
    @Test(
        arguments: [
            (nil, .whole), ("", .whole), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)),
            ("bytes=10-19", .part(10..<20)), ("bytes=99-", .part(99..<100)), ("bytes=50-1000", .part(50..<100)),
            ("bytes=-10", .part(90..<100)), ("bytes=-1000", .part(0..<100)), ("bytes=-0", .unsatisfiable),
            ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable), ("bytes=5-4", .whole),
            ("bytes=-", .whole),
            ("bytes=a-b", .whole), ("bytes=1", .whole), ("bytes=0-1,5-6", .whole), ("bytes=--1", .whole),
            ("items=0-1", .whole),
            ("BYTES=0-1", .part(0..<2)), ("bytes= 0-1", .part(0..<2)), ("bytes=+0-1", .whole), ("bytes=٣-٤", .whole),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<100)),
            ("bytes=-99999999999999999999", .part(0..<100)), ("bytes=0-9223372036854775807", .part(0..<100)),
            ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
        ] as [(String?, ByteRange)])
    func aRangeIsReadByTheBook(header: String?, expected: ByteRange) {
        #expect(ByteRange(header, size: 100) == expected, "\(header ?? "nil")")
    }

    @Test func ofAnEmptyFileThereIsNoPart() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
        #expect(ByteRange(nil, size: 0) == .whole)
    }

    private static let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 4) }

    private let folder: TemporaryFolder
    private let file: OpenFile

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.bytes).write(to: URL(fileURLWithPath: folder("file")))
        let modified = Date(timeIntervalSince1970: 784_111_777.5)
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: folder("file"))
        file = try OpenFolder(path: folder.path).open("file")
    }

    /// As it stands in a header.
    private var tag: String { EntityTag.of(file) }

    private func ask(_ headers: String..., method: String = "GET") async throws -> RawConnection.Received {
        let answer = Answers()
        try await TestServer.run(routes: { router in
            router.get("/file") { request, _ in
                FileResponse.make(file, contentType: "image/jpeg", for: request)
            }
        }) { server in
            let connection = try await RawConnection(port: server.port)
            let lines =
                [
                    "\(method) /file HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Connection: close",
                    TestServer.bearer,
                ] + headers
            try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            await answer.set(connection.closed())
        }
        return await answer.value
    }

    private actor Answers {
        var value = RawConnection.Received()
        func set(_ value: RawConnection.Received) { self.value = value }
    }

    private func body(_ received: RawConnection.Received) -> [UInt8] {
        let mark = Array("\r\n\r\n".utf8)
        for end in 0..<min(4096, max(0, received.bytes.count - 3)) where received.bytes[end..<end + 4] == mark[...] {
            return Array(received.bytes[(end + 4)...])
        }
        return []
    }

    @Test func aWholeFileComesAsItIs() async throws {
        let answer = try await ask()
        #expect(answer.status == 200)
        #expect(answer.header("content-length") == "700000" && answer.header("accept-ranges") == "bytes")
        #expect(answer.header("last-modified") == "Sun, 06 Nov 1994 08:49:37 GMT" && answer.header("etag") == tag)
        #expect(answer.header("content-type") == "image/jpeg" && answer.header("x-content-type-options") == "nosniff")
        #expect(body(answer) == Self.bytes)
    }

    @Test func aPartComesWithItsPlace() async throws {
        let answer = try await ask("Range: bytes=262143-524289")
        #expect(answer.status == 206)
        #expect(answer.header("content-range") == "bytes 262143-524289/700000")
        #expect(body(answer) == Array(Self.bytes[262143...524289]))
    }

    @Test func aPartThatIsNotThereIsRefusedWithTheSize() async throws {
        let answer = try await ask("Range: bytes=700000-")
        #expect(answer.status == 416)
        #expect(answer.header("content-range") == "bytes */700000")
        #expect(body(answer).isEmpty)
    }

    @Test func aHeadHasTheLengthAndNoBody() async throws {
        let answer = try await ask("Range: bytes=0-1", method: "HEAD")
        #expect(answer.status == 200 && answer.header("content-length") == "700000")
        #expect(body(answer).isEmpty)
    }

    @Test func whoHasItGetsNoBytes() async throws {
        for header in [
            "If-None-Match: \(tag)", "If-None-Match: \"x\", W/\(tag)", "If-None-Match: *",
            "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
        ] {
            let answer = try await ask(header)
            #expect(answer.status == 304 && answer.header("etag") == tag, "\(header)")
            #expect(body(answer).isEmpty)
        }
        for header in [
            "If-None-Match: \"v2\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT",
            "If-Modified-Since: yesterday", "If-None-Match: \(file.tag)",
        ] {
            #expect(try await ask(header).status == 200, "\(header)")
        }
        // The tag counts more than the date.
        let both = try await ask("If-None-Match: \"v2\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(both.status == 200)
    }

    @Test func aPartOfAnOlderVersionIsNotPatchedOn() async throws {
        for (header, status) in [
            ("If-Range: \(tag)", 206), ("If-Range: \"v0\"", 200), ("If-Range: W/\(tag)", 200),
            ("If-Range: Sun, 06 Nov 1994 08:49:37 GMT", 206), ("If-Range: Sun, 06 Nov 1994 08:49:38 GMT", 200),
            ("If-Range: x", 200),
        ] {
            #expect(try await ask("Range: bytes=0-9", header).status == status, "\(header)")
        }
    }

    @Test func aFileThatBecomesShorterBreaksTheConnectionAndNotTheServer() async throws {
        try await TestServer.run(routes: { router in
            router.get("/file") { request, _ in
                #expect(truncate(folder("file"), 300_000) == 0)
                return FileResponse.make(file, contentType: "image/jpeg", for: request)
            }
        }) { server in
            let answer = try await server.get("/file", TestServer.bearer)
            #expect(answer.status == 200 && answer.isClosed)
            #expect(answer.bytes.count < 700_000)
            #expect(try await server.get("/health").status == 200)
        }
    }

    // MARK: Headers

    @Test(arguments: [
        ("photo.jpg", "attachment; filename=\"photo.jpg\"; filename*=UTF-8''photo.jpg"),
        ("a b\"c\\d.jpg", "attachment; filename=\"a b_c_d.jpg\"; filename*=UTF-8''a%20b%22c%5Cd.jpg"),
        ("ä.jpg", "attachment; filename=\"_.jpg\"; filename*=UTF-8''%C3%A4.jpg"),
        ("a\r\nX-Evil: 1", "attachment; filename=\"a__X-Evil: 1\"; filename*=UTF-8''a%0D%0AX-Evil%3A%201"),
        ("\0\u{7F}\u{85}", "attachment; filename=\"___\"; filename*=UTF-8''%00%7F%C2%85"),
    ])
    func noNameCanLeaveItsHeader(name: String, expected: String) {
        #expect(ContentDisposition.attachment(name) == expected)
    }

    @Test(arguments: [0, 784_111_777, 951_782_399, 951_782_400, 1_709_164_800, 4_102_444_799, 86399, -1])
    func datesComeBack(seconds: Int) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let text = HTTPDate.text(date)
        #expect(HTTPDate.date(text) == date, "\(text)")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        #expect(text == formatter.string(from: date))
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "S 6 Nov -2147483648 1:1:1 GMT",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
