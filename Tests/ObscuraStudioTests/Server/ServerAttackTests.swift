// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import HTTPTypes
import Hummingbird
import Obscura
import ObscuraBase
import TestClient
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// What strangers try, over a real connection.
@Suite struct ServerAttackTests {
    /// What every answer must bear, whatever it says.
    private func expectGuarded(_ answer: RawConnection.Received, _ what: String) {
        #expect(answer.header("content-security-policy")?.contains("frame-ancestors 'none'") == true, "\(what)")
        #expect(answer.header("x-content-type-options") == "nosniff", "\(what)")
        #expect(answer.header("x-frame-options") == "DENY", "\(what)")
        #expect(answer.header("referrer-policy") == "no-referrer", "\(what)")
        #expect(answer.header("cross-origin-resource-policy") == "same-origin", "\(what)")
        #expect(answer.header("cross-origin-opener-policy") == "same-origin", "\(what)")
        #expect(answer.header("permissions-policy") != nil && answer.header("cache-control") != nil, "\(what)")
        #expect(answer.header("server") == nil && !answer.text.lowercased().contains("hummingbird"), "\(what)")
        #expect(answer.header("access-control-allow-origin") == nil, "\(what)")
        #expect(!answer.text.contains(TestServer.token), "\(what)")
    }

    @Test func withoutTheTokenNothingLeaves() async throws {
        var limits = RequestLimits()
        limits.guesses = 100
        try await TestServer.run(limits) { server in
            for headers in [
                [], ["Cookie: obscura-\(server.port)=wrong"], ["Authorization: Bearer wrong"],
                ["Authorization: Basic eDp5"],
            ] {
                for path in ["/secret", "/nothing", "/", "/ws"] {
                    let connection = try await RawConnection(port: server.port)
                    let lines =
                        [
                            "GET \(path) HTTP/1.1", "Host: localhost:\(server.port)",
                            "Origin: http://localhost:\(server.port)", "Connection: close",
                        ] + headers
                    try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                    let answer = await connection.closed()
                    #expect(answer.status == 401, "\(path) \(headers)")
                    #expect(!answer.text.contains("the secret"))
                    expectGuarded(answer, "\(path) \(headers)")
                }
            }
        }
    }

    @Test func aPersonIsToldWhereTheAddressIsAndAScriptGetsJSON() async throws {
        try await TestServer.run { server in
            let page = try await server.get("/")
            #expect(page.status == 401 && page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.body.contains("/?token="))
            let api = try await server.get("/secret")
            #expect(api.header("content-type") == "application/json; charset=utf-8")
            let error = try JSONDecoder().decode(APIError.self, from: Data(api.body.utf8))
            #expect(error.error.code == "noToken" && error.error.advice != nil)
            #expect(api.header("www-authenticate") == "Bearer")
        }
    }

    @Test func theTokenOpensByAddressCookieAndHeader() async throws {
        try await TestServer.run { server in
            #expect(server.address == "http://127.0.0.1:\(server.port)/?token=\(TestServer.token)")
            let entrance = try await server.get("/?token=\(TestServer.token)")
            #expect(entrance.status == 200 && entrance.body.contains("url=/\""))
            #expect(
                entrance.header("set-cookie")
                    == "obscura-\(server.port)=\(TestServer.token); Path=/; HttpOnly; SameSite=Strict")
            #expect(
                entrance.header("referrer-policy") == "no-referrer" && entrance.header("cache-control") == "no-store")
            #expect(try await server.get("/secret", server.cookie).body == "the secret")
            #expect(try await server.get("/secret", TestServer.bearer).body == "the secret")
            #expect(try await server.get("/secret?token=\(TestServer.token)").body == "the secret")
            expectGuarded(try await server.get("/secret", server.cookie), "secret")
        }
    }

    @Test func anotherNameAnotherPortAndTwoNamesAreRefused() async throws {
        try await TestServer.run { server in
            let right = "127.0.0.1:\(server.port)"
            for (hosts, status) in [
                (["evil.example:\(server.port)"], 403), (["evil.example"], 403), (["127.0.0.1:1"], 403),
                (["user@\(right)"], 400), (["\(right)", "evil.example"], 400), (["evil.example", right], 400),
                ([right, right], 400), ([], 400), ([""], 400), (["192.168.0.1:\(server.port)"], 403),
            ] {
                var lines = ["GET /secret HTTP/1.1", TestServer.bearer, "Connection: close"]
                lines += hosts.map { "Host: \($0)" }
                let connection = try await RawConnection(port: server.port)
                try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                let answer = await connection.closed()
                #expect(answer.status == status, "\(hosts)")
                #expect(!answer.text.contains("the secret") && !answer.text.contains("evil"), "\(hosts)")
                expectGuarded(answer, "\(hosts)")
            }
        }
    }

    @Test func aForeignPageChangesNothing() async throws {
        let changes = Lock(0)
        try await TestServer.run(routes: { router in
            router.post("/change") { _, _ in
                changes.withLock { $0 += 1 }
                return HTTPResponse.Status.ok
            }
        }) { server in
            for origin in ["http://evil.example", "null", "https://127.0.0.1:\(server.port)", "http://127.0.0.1:1"] {
                let answer = try await server.get("/change", server.cookie, "Origin: \(origin)", method: "POST")
                #expect(answer.status == 403, "\(origin)")
            }
            #expect(try await server.get("/change", server.cookie, method: "POST").status == 403)
            let preflight = try await server.get(
                "/change", "Origin: http://evil.example", "Access-Control-Request-Method: POST", method: "OPTIONS")
            #expect(preflight.status == 403)
            expectGuarded(preflight, "preflight")
            #expect(changes.withLock(\.self) == 0)
            let own = "Origin: http://127.0.0.1:\(server.port)"
            #expect(try await server.get("/change", server.cookie, own, method: "POST").status == 200)
            #expect(try await server.get("/change", TestServer.bearer, method: "POST").status == 200)
            #expect(changes.withLock(\.self) == 2)
        }
    }

    @Test func anEmbeddedPictureMayBeUsedByOtherPages() async throws {
        try await TestServer.run(routes: { router in
            router.get("/cameras/{id}/picture.jpg") { _, context in try context.parameter("id") }
        }) { server in
            let cross = "Sec-Fetch-Site: cross-site"
            let embedded = try await server.get("/cameras/a%20b/picture.jpg?token=\(TestServer.token)", cross)
            #expect(embedded.status == 200 && embedded.body == "a b")
            #expect(embedded.header("cross-origin-resource-policy") == "cross-origin")
            #expect(try await server.get("/cameras/1/picture.jpg", server.cookie, cross).status == 401)
            #expect(try await server.get("/secret?token=\(TestServer.token)", cross).status == 403)
            let own = try await server.get("/cameras/1/picture.jpg?token=\(TestServer.token)")
            #expect(own.header("cross-origin-resource-policy") == "same-origin")
        }
    }

    @Test(arguments: [
        "//", "//secret", "/%2e%2e/", "/assets/..%2f..%2fetc/passwd", "/assets/..%5c..%5cetc/passwd",
        "/../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//etc/passwd", "/assets/%00", "/a%0d%0aSet-Cookie:%20x=y", "/%",
        "http://127.0.0.1/secret", "http://127.0.0.1:1/secret", "https:///secret", "*", "secret", "127.0.0.1:80",
        "file:///etc/passwd", "/./secret", "/secret/.", "/secret/", "/\u{e4}", "\\secret",
    ])
    func noSpellingOfAPathGetsRoundTheRules(target: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.get(target, TestServer.bearer)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(!answer.text.contains("root:") && !answer.text.contains("the secret"))
            #expect(answer.header("set-cookie") == nil)
            expectGuarded(answer, target)
        }
    }

    @Test func aPathOfEightKilobytesAndHeadersWithoutEndAreRefused() async throws {
        try await TestServer.run { server in
            let long = try await server.get("/" + String(repeating: "a", count: 8192), TestServer.bearer)
            #expect(long.status == 414)
            expectGuarded(long, "path")
            let huge = try await server.get("/secret", "X: " + String(repeating: "a", count: 17_000))
            #expect(huge.status == 431)
            expectGuarded(huge, "header")
            let many = try await RawConnection(port: server.port)
            try await many.send("GET / HTTP/1.1\r\n" + (0..<101).map { "X\($0): y\r\n" }.joined() + "\r\n")
            #expect(await many.closed().status == 431)
            // A path without end and without a line's end.
            let endless = try await RawConnection(port: server.port)
            try await endless.send("GET /" + String(repeating: "a", count: 40_000))
            #expect(await endless.closed().status == 431)
        }
    }

    @Test(arguments: [
        "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: x\r\n\r\n", "GET / HTTP/1.1\r\nA\0: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX: a\u{1}b\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
    func whatIsNoHTTPIsAnsweredAndClosed(text: String) async throws {
        try await TestServer.run { server in
            let connection = try await RawConnection(port: server.port)
            try await connection.send(text)
            let answer = await connection.closed()
            #expect(answer.isClosed && answer.status.map { (400..<500).contains($0) } ?? answer.bytes.isEmpty)
            #expect(try await server.get("/health").status == 200)
        }
    }

    @Test func aHugeBodyIsRefusedWithAndWithoutItsLength() async throws {
        var limits = RequestLimits()
        limits.jsonBytes = 10_000
        limits.drainBytes = 1000
        limits.drainTime = .milliseconds(200)
        try await TestServer.run(limits) { server in
            let head = "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
            let announced = try await RawConnection(port: server.port)
            try await announced.send(head + "Content-Length: 100000000\r\n\r\n")
            let refused = await announced.closed()
            #expect(refused.status == 413)
            expectGuarded(refused, "announced")
            // Without its length it is read up to the limit. The rest may not even be sent: that is the client's loss.
            let chunked = try await RawConnection(port: server.port)
            try await chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<11 { try? await chunked.send("3E8\r\n" + String(repeating: "a", count: 1000) + "\r\n") }
            #expect(await chunked.answer().status == 413)
            #expect(await chunked.closed().isClosed)
            // Nor does a stranger get his body read.
            let stranger = try await RawConnection(port: server.port)
            try await stranger.send(
                "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 100000000\r\n\r\n")
            for _ in 0..<100 { try? await stranger.send(String(repeating: "a", count: 10_000)) }
            let answer = await stranger.closed()
            #expect(answer.isClosed && (answer.status == 403 || answer.bytes.isEmpty))
        }
    }

    @Test func chunksMayHaveExtensionsAndTrailersAndMustBeOnes() async throws {
        try await TestServer.run { server in
            let head =
                "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            func ask(_ body: String) async throws -> RawConnection.Received {
                let connection = try await RawConnection(port: server.port)
                try await connection.send(head + body)
                return await connection.closed()
            }
            #expect(try await ask("5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n").body == "hello")
            #expect(try await ask("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n").body == "hello world")
            for broken in [
                "x\r\nhello\r\n0\r\n\r\n", "5\r\nhelloo\r\n0\r\n\r\n", "-5\r\nhello\r\n", "FFFFFFFFFFFFFFFFF\r\na",
            ] {
                let answer = try await ask(broken)
                #expect(answer.status == 400 || answer.bytes.isEmpty, "\(broken)")
                expectGuarded(answer, broken)
            }
        }
    }

    @Test func aBodyThatBreaksOffIsNotTakenForAWholeOne() async throws {
        let outcome = Lock<[Bool]>([])
        try await TestServer.run(routes: { router in
            router.post("/upload") { request, _ in
                do {
                    for try await _ in request.body {}
                    outcome.withLockSignalling { $0.append(true) }
                } catch {
                    outcome.withLockSignalling { $0.append(false) }
                    throw error
                }
                return HTTPResponse.Status.ok
            }
        }) { server in
            let head = "POST /upload HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
            for start in ["Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n5\r\nha"] {
                let connection = try await RawConnection(port: server.port)
                try await connection.send(head + start)
                try await connection.channel.close(mode: .output).get()
                let answer = await connection.closed()
                #expect(answer.status == 400 || answer.bytes.isEmpty)
            }
            let whole = try await server.ask(
                "POST /upload HTTP/1.1", "Host: 127.0.0.1:\(server.port)", TestServer.bearer, "Content-Length: 4",
                body: "full")
            #expect(whole.status == 200)
        }
        #expect(outcome.withLock(\.self) == [false, false, true])
    }

    @Test func oldHTTPAndPipeliningAreServed() async throws {
        try await TestServer.run(routes: { router in
            router.get("/stream") { _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "streamed"))
                        try await writer.finish(nil)
                    })
            }
        }) { server in
            let old = try await RawConnection(port: server.port)
            try await old.send("GET /stream HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n\r\n")
            let answer = await old.closed()
            #expect(answer.text.hasPrefix("HTTP/1.0 200") && answer.body == "streamed")
            #expect(answer.header("transfer-encoding") == nil)

            let request = "GET /secret HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
            let pipelined = try await RawConnection(port: server.port)
            try await pipelined.send(
                String(repeating: request + "\r\n", count: 49) + request + "Connection: close\r\n\r\n" + request
                    + "\r\n")
            let answers = await pipelined.closed()
            #expect(answers.text.components(separatedBy: "the secret").count - 1 == 50)

            // An invalid request does not get the response of the one before.
            let mixed = try await RawConnection(port: server.port)
            try await mixed.send(
                request + "\r\n" + request.replacingOccurrences(of: "GET /", with: "GET http://127.0.0.1/") + "\r\n")
            let first = await mixed.closed()
            #expect(first.text.hasPrefix("HTTP/1.1 200") && first.text.contains("the secret"))
        }
    }

    @Test func anUnknownMethodIsToldWhichAreKnown() async throws {
        try await TestServer.run { server in
            let answer = try await server.get("/secret", TestServer.bearer, method: "DELETE")
            #expect(answer.status == 405 && answer.header("allow") == "GET, HEAD")
            let error = try JSONDecoder().decode(APIError.self, from: Data(answer.body.utf8))
            #expect(error.error.code == "methodNotAllowed")
            let missing = try await server.get("/nothing/here", TestServer.bearer)
            #expect(missing.status == 404)
            #expect(try JSONDecoder().decode(APIError.self, from: Data(missing.body.utf8)).error.code == "notFound")
            expectGuarded(answer, "405")
            expectGuarded(missing, "404")
            let head = try await server.get("/secret", TestServer.bearer, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty && head.header("content-length") == "10")
            #expect(try await server.get("/secret", TestServer.bearer, method: "CONNECT").status == 405)
            #expect(try await server.get("/secret", TestServer.bearer, method: "BREW").status.map { $0 >= 400 } ?? true)
        }
    }

    @Test func whatGoesWrongInsideIsNotTold() async throws {
        struct Inner: Error { let password = "hunter2" }
        try await TestServer.run(routes: { router in
            router.get("/inner") { _, _ -> String in throw Inner() }
            router.get("/ours") { _, _ -> String in
                throw ObscuraError(.studio, .wrongState, subject: "camera 1", reason: "it records", advice: "Stop it.")
            }
            router.get("/theirs") { _, _ -> String in throw HTTPError(.badRequest, message: "no such number") }
            router.get("/full") { _, _ -> String in throw ObscuraError(.studio, .diskFull, subject: "a", reason: "b") }
        }) { server in
            let inner = try await server.get("/inner", TestServer.bearer)
            #expect(inner.status == 500 && !inner.text.contains("hunter2") && !inner.text.contains("Inner"))
            expectGuarded(inner, "500")
            let ours = try await server.get("/ours", TestServer.bearer)
            #expect(ours.status == 409)
            let error = try JSONDecoder().decode(APIError.self, from: Data(ours.body.utf8))
            #expect(error == APIError(code: "wrongState", message: "camera 1: it records.", advice: "Stop it."))
            #expect(try await server.get("/full", TestServer.bearer).status == 507)
            let theirs = try await server.get("/theirs", TestServer.bearer)
            #expect(theirs.status == 400)
            let other = try JSONDecoder().decode(APIError.self, from: Data(theirs.body.utf8))
            #expect(other.error.code == "invalidRequest" && other.error.message == "no such number")
        }
    }

    @Test func guessingIsSlowAndTheRightTokenIsNot() async throws {
        var limits = RequestLimits()
        limits.guesses = 3
        limits.guessDelay = .milliseconds(50)
        try await TestServer.run(limits) { [limits] server in
            for _ in 0..<3 { #expect(try await server.get("/secret", "Authorization: Bearer x").status == 401) }
            // At least so long: a busy machine only takes longer.
            let begin = HostTime.now
            let answer = try await server.get("/secret", "Authorization: Bearer x")
            #expect(HostTime.now - begin >= limits.guessDelay)
            #expect(answer.status == 429 && answer.header("retry-after") != nil)
            expectGuarded(answer, "429")
            #expect(try await server.get("/secret", TestServer.bearer).body == "the secret")
            // Who names none does not guess.
            #expect(try await server.get("/secret").status == 401)
        }
    }

    @Test func askingForAnotherProtocolIsOverlooked() async throws {
        try await TestServer.run { server in
            let answer = try await server.ask(
                "GET /secret HTTP/1.1", "Host: 127.0.0.1:\(server.port)", TestServer.bearer,
                "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__")
            #expect(answer.status == 200 && answer.body == "the secret")
        }
    }
}
