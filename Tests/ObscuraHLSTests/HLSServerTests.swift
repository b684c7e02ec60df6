// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBroadcast
import ObscuraMedia
import TestClient
import TestSupport
import Testing

@testable import ObscuraHLS
@testable import ObscuraWeb

/// What is served by HLS, and what is not.
@Suite struct HLSServerTests {
    // MARK: What there is

    @Test func thePageHasItsScriptsAndStylesAndNothingElse() async throws {
        try await TestHLS.run { hls in
            let page = try await hls.get("/")
            #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.header("content-security-policy")?.contains("script-src 'self'") == true)
            #expect(page.body.contains("<video") && !page.body.contains("<script>"))
            for name in ["player.js", "livestream.js", "playlist.js", "player.css"] {
                #expect(try await hls.get("/\(name)").status == 200, "\(name)")
            }
            for name in ["index.html", "library", "openapi.json", "assets/style.css", "health", "ws"] {
                #expect(try await hls.get("/\(name)").status == 404, "\(name)")
            }
        }
    }

    @Test func listsAndSegmentsAreServedAsWhatTheyAre() async throws {
        try await TestHLS.run { hls in
            try hls.write("#EXTM3U\n", to: "live.m3u8")
            try hls.writeList(7...9)
            try hls.write("the beginning", to: "live-init.mp4")
            try hls.write("0123456789", to: "live-000009.m4s")
            try hls.write("later", to: "live-1000000.m4s")
            for (name, type, cache, length) in [
                ("live.m3u8", "application/vnd.apple.mpegurl", "no-cache", 8),
                ("live-init.mp4", "video/mp4", "no-cache", 13),
                ("live-000009.m4s", "video/iso.segment", "public, max-age=10, immutable", 10),
                ("live-1000000.m4s", "video/iso.segment", "public, max-age=10, immutable", 5),
            ] {
                let answer = try await hls.get("/\(name)")
                #expect(answer.status == 200 && answer.body.utf8.count == length, "\(name)")
                #expect(answer.header("content-type") == type && answer.header("cache-control") == cache, "\(name)")
                #expect(answer.header("access-control-allow-origin") == nil, "\(name)")
                #expect(answer.header("cross-origin-resource-policy") == "same-origin", "\(name)")
                let head = try await hls.get("/\(name)", method: "HEAD")
                #expect(head.status == 200 && head.body.isEmpty, "\(name)")
                #expect(head.header("content-length") == "\(length)", "\(name)")
            }
            let list = try await hls.get("/live-media.m3u8")
            #expect(list.header("content-type") == "application/vnd.apple.mpegurl")
            #expect(list.header("cache-control") == "no-cache")
            #expect(list.body.contains("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"))
            #expect(list.body.contains("\nlive-000009.m4s\n"))
            let part = try await hls.get("/live-000009.m4s", "Range: bytes=2-4")
            #expect(part.status == 206 && part.body == "234")
        }
    }

    @Test func pagesOfOtherSitesMayPlayItOnlyWhereThatIsSaid() async throws {
        try await TestHLS.run(allowsOtherSites: true) { hls in
            try hls.write("#EXTM3U\n", to: "live.m3u8")
            try hls.writeList(7...9)
            for name in ["live.m3u8", "live-media.m3u8"] {
                let answer = try await hls.get("/\(name)")
                #expect(answer.header("access-control-allow-origin") == "*", "\(name)")
                #expect(answer.header("access-control-allow-credentials") == nil, "\(name)")
                #expect(answer.header("cross-origin-resource-policy") == "cross-origin", "\(name)")
            }
            #expect(try await hls.status(asHost: "any.example") == 200)
            for (target, status) in [("live-000099.m4s", 404), ("live-media.m3u8?_HLS_msn=x", 400)] {
                let answer = try await hls.get("/\(target)")
                #expect(answer.status == status && answer.header("access-control-allow-origin") == "*", "\(target)")
            }
        }
        try await TestHLS.run { hls in
            try hls.write("#EXTM3U\n", to: "live.m3u8")
            for (host, status) in [
                ("localhost", 200), ("127.0.0.1:1", 200), ("[::1]", 200), ("KIOSK.local:80", 200),
                ("evil.example", 403), ("192.168.0.9", 403), ("127.0.0.1.evil.example", 403), ("", 400), ("a b", 400),
            ] {
                #expect(try await hls.status(asHost: host) == status, "\(host)")
            }
        }
    }

    @Test func whatIsNotThereYetIsToBeAskedForAgain() async throws {
        try await TestHLS.run { hls in
            for name in ["live.m3u8", "live-media.m3u8", "live-init.mp4", "live-000000.m4s"] {
                let answer = try await hls.get("/\(name)")
                #expect(answer.status == 404 && answer.header("retry-after") == "1", "\(name)")
            }
        }
    }

    @Test func noOtherNameLeadsToAFile() async throws {
        try await TestHLS.run { hls in
            let outside = hls.folder.deletingLastPathComponent().appending(path: "\(UUID().uuidString).m4s")
            try Data("secret".utf8).write(to: outside)
            defer { try? FileManager.default.removeItem(at: outside) }
            for name in [
                "live-000001.m4s.tmp", "live-00001.m4s", "live-0000000000000000001.m4s", "live-00000a.m4s",
                "other.m3u8",
                "live-.m4s", ".live.m3u8", "live.m3u8~",
            ] {
                try hls.write("secret", to: name)
                #expect(try await hls.get("/\(name)").status == 404, "\(name)")
            }
            try hls.write("#EXTM3U\n", to: "live.m3u8")
            for path in [
                "/../\(outside.lastPathComponent)", "/%2e%2e/\(outside.lastPathComponent)",
                "/..%2f\(outside.lastPathComponent)", "//live.m3u8", "/./live.m3u8", "/live.m3u8/", "/live%00.m3u8",
                "/%6Cive.m3u8", "/x/../live.m3u8", outside.path,
            ] {
                let answer = try await hls.get(path)
                #expect(answer.status == 404 || answer.status == 400, "\(path)")
                #expect(!answer.text.contains("secret"), "\(path)")
            }
            // A link is not followed, whoever could have made it.
            try FileManager.default.createSymbolicLink(
                at: hls.folder.appending(path: "live-000001.m4s"), withDestinationURL: outside)
            #expect(try await hls.get("/live-000001.m4s").status == 404)
        }
    }

    @Test func onlyReadingIsAllowed() async throws {
        try await TestHLS.run { hls in
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                let answer = try await hls.get("/live.m3u8", method: method)
                #expect(answer.status == 405 && answer.header("allow") == "GET, HEAD", "\(method)")
            }
            let socket = try await hls.get(
                "/live.m3u8", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13")
            #expect(socket.status == 404)
        }
    }

    // MARK: Passwords

    @Test func withAPasswordOnlyWhoKnowsItCanWatch() async throws {
        let credentials = HLSConfiguration.Credentials(user: "me", password: "a:b ü")
        try await TestHLS.run(credentials: credentials) { hls in
            try hls.write("0123456789", to: "live-000009.m4s")
            let right = "Authorization: Basic \(Data("me:a:b ü".utf8).base64EncodedString())"
            for path in ["/", "/player.js", "/live-000009.m4s", "/nothing"] {
                let answer = try await hls.get(path)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.header("www-authenticate")?.hasPrefix("Basic realm=") == true, "\(path)")
                #expect(try await hls.get(path, right).status == (path == "/nothing" ? 404 : 200), "\(path)")
            }
            #expect(
                try await hls.get("/live-000009.m4s", right).header("cache-control") == "private, max-age=10, immutable"
            )
            for wrong in ["me:a:b", "me:a:b üx", "you:a:b ü", ":", ""] {
                let header = "Authorization: Basic \(Data(wrong.utf8).base64EncodedString())"
                #expect(try await hls.get("/", header).status == 401, "\(wrong)")
            }
            let bearer = right.replacing("Basic", with: "Bearer")
            for header in [bearer, "Authorization: Basic !", "\(right)\r\n\(right)"] {
                #expect(try await hls.get("/", header).status == 401, "\(header)")
            }
        }
    }

    private static func authorization(_ words: String) -> String {
        "Authorization: Basic \(Data(words.utf8).base64EncodedString())"
    }

    @Test func afterSomeWrongPasswordsOneIsComparedAtATime() async throws {
        var limits = RequestLimits()
        limits.guesses = 2
        // The attempt that waits does so until the end of the test.
        limits.guessDelay = .seconds(3600)
        limits.guessDelayLimit = .seconds(3600)
        try await TestHLS.run(limits, credentials: .init(user: "me", password: "right")) { hls in
            let (right, wrong) = (Self.authorization("me:right"), Self.authorization("me:wrong"))
            let watching = try await RawConnection(port: hls.port)
            func watch() async throws -> Int? {
                try await watching.send("GET /player.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\(right)\r\n\r\n")
                return await watching.answer().status
            }
            #expect(try await watch() == 200)
            for _ in 0..<2 { #expect(try await hls.get("/", wrong).status == 401) }
            let guessing = try await [RawConnection(port: hls.port), RawConnection(port: hls.port)]
            for one in guessing { try await one.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\(wrong)\r\n\r\n") }
            // One of them waits, and then no other is compared: not even the right one is told from it.
            #expect(await becomes { guessing.contains { $0.receivedNow.isWhole } })
            #expect(guessing.map { $0.receivedNow.status }.filter { $0 != nil } == [429])
            let answer = try await hls.get("/", right)
            #expect(answer.status == 429 && Int(answer.header("retry-after") ?? "") ?? 0 > 3000)
            #expect(try await hls.get("/").status == 401)
            // Who watches goes on.
            watching.forget()
            #expect(try await watch() == 200)
        }
    }

    @Test func theRightPasswordIsLetInAfterItsDelay() async throws {
        var limits = RequestLimits()
        limits.guesses = 2
        limits.guessDelay = .milliseconds(5)
        try await TestHLS.run(limits, credentials: .init(user: "me", password: "right")) { hls in
            var answers: [Int?] = []
            for password in ["1", "2", "3", "4", "right"] {
                answers.append(try await hls.get("/", Self.authorization("me:\(password)")).status)
            }
            #expect(answers == [401, 401, 401, 401, 200])
        }
    }

    @Test func aShortPasswordDoesNotOpenANetworkPort() throws {
        for address in [":0", "0.0.0.0:0", "[::]:0"] {
            let error = #expect(throws: ObscuraError.self) {
                try TestHLS.make(at: address, credentials: .init(user: "me", password: "seven77"))
            }
            #expect(error?.code == .invalidRequest && error?.description.contains("seven77") == false)
            _ = try TestHLS.make(at: address, credentials: .init(user: "me", password: "eight888"))
        }
        _ = try TestHLS.make(credentials: .init(user: "me", password: "1"))
    }

    @Test func noDescriptionHasThePassword() throws {
        let configuration = HLSConfiguration(credentials: .init(user: "me", password: "hidden"))
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hidden") && !"\(configuration)".contains("hidden"))
        #expect(!"\(Secret("hidden"))".contains("hidden"))
    }
}
