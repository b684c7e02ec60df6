// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Hummingbird
import NIOCore
import NIOSSL
import Obscura
import ObscuraBase
import TestClient
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

/// How the server starts and how it ends.
@Suite(.serialized) struct ServerLifeTests {
    // MARK: Stopping

    /// Pictures that come when the test says so, and else are waited for.
    private final class Pictures: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        let stream: AsyncStream<ByteBuffer>
        let feed: AsyncStream<ByteBuffer>.Continuation

        init() {
            (stream, feed) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(1))
        }

        func makeAsyncIterator() -> AsyncStream<ByteBuffer>.Iterator { stream.makeAsyncIterator() }
    }

    @Test func itStopsWithStreamsSocketsAndIdleConnectionsOpen() async throws {
        let pictures = Pictures()
        let stalledPictures = Pictures()
        let open = Lock<[RawConnection]>([])
        let ends = Lock<[String: RawConnection.Received]>([:])
        let readers = Lock<[Task<Void, Never>]>([])
        try await TestServer.run(routes: { router in
            router.get("/stream") { request, _ in
                MultipartPictures.response(pictures, for: request) { pictures.feed.finish() }
            }
            router.get("/stalled") { request, _ in
                MultipartPictures.response(stalledPictures, for: request) { stalledPictures.feed.finish() }
            }
            router.get("/endless") { _, _ in
                Response(
                    status: .ok, body: ResponseBody { _ in for try await _ in Pictures().stream {} })
            }
        }) { server in
            let head = "Host: 127.0.0.1:\(server.port)\r\n\(TestServer.bearer)\r\n"
            let stream = try await RawConnection(port: server.port)
            try await stream.send("GET /stream HTTP/1.1\r\n\(head)\r\n")
            pictures.feed.yield(ByteBuffer(string: "picture"))
            #expect(await stream.received { $0.text.contains("picture") }.status == 200)

            let stalled = try await RawConnection(port: server.port, reads: false)
            try await stalled.send("GET /stalled HTTP/1.1\r\n\(head)\r\n")
            stalledPictures.feed.yield(ByteBuffer(repeating: 1, count: 64 << 20))

            let endless = try await RawConnection(port: server.port)
            try await endless.send("GET /endless HTTP/1.1\r\n\(head)\r\n")
            #expect(await endless.received { $0.text.contains("\r\n\r\n") }.status == 200)

            let idle = try await RawConnection(port: server.port)
            try await idle.send("GET /health HTTP/1.1\r\n\(head)\r\n")
            #expect(await idle.answer().status == 200)

            let silent = try await RawConnection(port: server.port)
            let socket = try await RawConnection(port: server.port)
            try await socket.send(
                "GET /ws HTTP/1.1\r\n\(head)Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:\(server.port)\r\n\r\n")
            #expect(await socket.received { $0.text.contains("\r\n\r\n") }.status == 101)
            socket.forget()
            open.withLock { $0 = [stalled] }
            readers.withLock { tasks in
                for (name, connection) in [
                    "stream": stream, "idle": idle, "silent": silent, "socket": socket, "endless": endless,
                ] {
                    tasks.append(
                        Task {
                            let end = await connection.closed()
                            ends.withLock { $0[name] = end }
                        })
                }
            }
        }
        // It has stopped though one client has still read nothing.
        for reader in readers.withLock(\.self) { await reader.value }
        let all = ends.withLock(\.self)
        #expect(all.count == 5 && all.values.allSatisfy(\.isClosed))
        // By the book: the last boundary, the last chunk, and "going away".
        #expect(all["stream"]?.text.hasSuffix("--\(MultipartPictures.boundary)--\r\n\r\n0\r\n\r\n") == true)
        #expect(all["socket"]?.bytes == [0x88, 2, 0x03, 0xE9])
        for connection in open.withLock(\.self) { connection.close() }
    }

    @Test func itStopsWhenItIsCancelledBeforeItBegan() async throws {
        let server = try Self.server { $0.port = 0 }
        let task = Task { try await server.run { _ in } }
        task.cancel()
        try await task.value
    }

    @Test func itCanBeStartedAgainOnTheSamePort() async throws {
        let port = Lock(0)
        try await TestServer.run { server in port.withLock { $0 = server.port } }
        try await TestServer.run(configure: { $0.port = port.withLock(\.self) }) { server in
            let answer = try await server.get("/health")
            #expect(answer.status == 200)
        }
    }

    // MARK: Starting

    private static func server(
        _ configure: (inout StudioConfiguration) -> Void
    ) throws -> StudioHTTPServer {
        var configuration = StudioConfiguration(libraryFolder: "/nonexistent")
        configure(&configuration)
        return try StudioHTTPServer(
            configuration, router: Router<WebContext>.web(errors: .studio)
        ) { $0.eventLoop.makeSucceededVoidFuture() }
    }

    private func failure(_ configure: (inout StudioConfiguration) -> Void) async -> ObscuraError? {
        do {
            let server = try Self.server(configure)
            try await server.run { _ in }
            return nil
        } catch {
            return error as? ObscuraError
        }
    }

    @Test func aPortThatIsTakenIsSaidToBe() async throws {
        try await TestServer.run { server in
            let error = await failure { $0.port = server.port }
            #expect(error?.code == .cannotListen)
            #expect(error?.reason == "the port is in use" && error?.remedy == .choosePort)
        }
    }

    @Test func anAddressThatIsNotOursIsSaidNotToBe() async throws {
        let foreign = await failure { ($0.address, $0.isInsecureAllowed) = ("192.0.2.1", true) }
        #expect(foreign?.code == .cannotListen && foreign?.reason.contains("not available on this host") == true)
        let unknown = await failure { ($0.address, $0.isInsecureAllowed) = ("nobody.invalid", true) }
        #expect(unknown?.code == .cannotListen && unknown?.reason.contains("cannot be resolved") == true)
        for text in ["", " ", "http://127.0.0.1", "127.0.0.1:80", "a b", "[", "[]", "a/b"] {
            #expect(
                await failure { ($0.address, $0.isInsecureAllowed) = (text, true) }?.code == .cannotListen, "\(text)")
        }
        for name in ["", "bad name", "http://x", "x:80", "x/y"] {
            #expect(await failure { $0.hostNames = ["camera.local", name] }?.code == .cannotListen, "\(name)")
        }
        for port in [-1, 65536, 1 << 40] { #expect(await failure { $0.port = port }?.code == .cannotListen) }
    }

    @Test func aNetworkIsServedOnlyWithTLSOrTheOwnersWord() async throws {
        for address in ["0.0.0.0", "::", "[::]", "192.0.2.1", "nobody.invalid", "::ffff:10.0.0.1", "128.0.0.1"] {
            let error = await failure { $0.address = address }
            #expect(error?.code == .unprotectedAddress, "\(address)")
            #expect(error?.remedy == .protectServer)
        }
        for address in ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost", "LOCALHOST", "::ffff:127.0.0.1"] {
            let listen = try ListenAddress(address)
            #expect(listen.isLoopback, "\(address)")
        }
        try await TestServer.run(configure: { ($0.address, $0.isInsecureAllowed) = ("0.0.0.0", true) }) { server in
            #expect(server.address.hasPrefix("http://127.0.0.1:"))
            let answer = try await server.get("/health")
            #expect(answer.status == 200)
        }
    }

    @Test func theAddressToOpenIsOneThatABrowserTakes() throws {
        func address(_ text: String, isSecure: Bool = false, names: [String] = []) throws -> String {
            try ListenAddress(text).address(port: 1, isSecure: isSecure, hostNames: names)
        }
        #expect(try address("127.0.0.1") == "http://127.0.0.1:1")
        #expect(try address("localhost") == "http://127.0.0.1:1")
        #expect(try address("::1", isSecure: true) == "https://[::1]:1")
        #expect(try address("0.0.0.0") == "http://127.0.0.1:1")
        #expect(try address("::") == "http://[::1]:1")
        #expect(try address("0.0.0.0", names: ["camera.local"]) == "http://camera.local:1")
    }

    @Test func itListensOnIPv6() async throws {
        let server = try Self.server { ($0.address, $0.port) = ("::1", 0) }
        let (addresses, started) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            defer { started.finish() }
            try await server.run { started.yield($0) }
        }
        var iterator = addresses.makeAsyncIterator()
        let address = await iterator.next()
        #expect(address?.hasPrefix("http://[::1]:") == true)
        task.cancel()
        try await task.value
    }

    // MARK: TLS

    /// A folder with a certificate for localhost, made by openssl.
    private struct Certificate {
        let folder: URL
        var files: StudioConfiguration.TLSFiles {
            .init(certificate: folder.appending(path: "cert.pem").path, key: folder.appending(path: "key.pem").path)
        }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try make("cert.pem", "key.pem", days: 2)
        }

        func make(_ certificate: String, _ key: String, days: Int) throws {
            try Tool.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "\(days)",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", folder.appending(path: key).path, "-out", folder.appending(path: certificate).path,
                ])
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private static func client(
        minimum: TLSVersion = .tlsv12, maximum: TLSVersion? = nil
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.minimumTLSVersion = minimum
        configuration.maximumTLSVersion = maximum
        return try NIOSSLContext(configuration: configuration)
    }

    @Test func withACertificateItSpeaksHTTPSAndNothingElse() async throws {
        let certificate = try Certificate()
        defer { certificate.remove() }
        var limits = RequestLimits()
        limits.headTime = .seconds(1)
        try await TestServer.run(limits, configure: { $0.tls = certificate.files }) { server in
            #expect(server.address.hasPrefix("https://127.0.0.1:"))
            for version in [TLSVersion.tlsv12, .tlsv13] {
                let connection = try await RawConnection(
                    port: server.port, tls: Self.client(minimum: version, maximum: version))
                try await connection.send(
                    "GET /?token=\(TestServer.token) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
                let answer = await connection.received { $0.text.contains("\r\n\r\n") }
                #expect(answer.status == 200 && answer.header("set-cookie")?.hasSuffix("; Secure") == true)
                // The same host without TLS is another origin.
                connection.forget()
                try await connection.send(
                    "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                        + "Origin: http://127.0.0.1:\(server.port)\r\n"
                        + "\(TestServer.bearer)\r\nContent-Length: 0\r\n\r\n")
                #expect(await connection.answer().status == 403)
                connection.close()
            }
            let old = try await RawConnection(
                port: server.port, tls: Self.client(minimum: .tlsv1, maximum: .tlsv11))
            #expect(await old.closed().isClosed)
            let plain = try await RawConnection(port: server.port)
            try await plain.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
            let answer = await plain.closed()
            #expect(answer.isClosed && answer.status == nil)
            // A handshake that does not go on has the time of a head.
            let slow = try await RawConnection(port: server.port)
            try await slow.send([0x16, 0x03, 0x01])
            #expect(await slow.closed().isClosed)
            #expect(server.connections.counts.cutOff[.slowHead] == 1)
        }
    }

    @Test func aSocketWorksOverTLS() async throws {
        let certificate = try Certificate()
        defer { certificate.remove() }
        try await TestServer.run(configure: { $0.tls = certificate.files }) { server in
            let connection = try await RawConnection(port: server.port, tls: Self.client())
            try await connection.send(
                "GET /ws HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Origin: https://localhost:\(server.port)\r\n\(server.cookie)\r\n\r\n")
            #expect(await connection.received { $0.text.contains("\r\n\r\n") }.status == 101)
            connection.forget()
            try await connection.send([0x89, 0x80, 0, 0, 0, 0])
            #expect(await connection.received { $0.bytes.count >= 2 }.bytes == [0x8A, 0])
            connection.close()
        }
    }

    @Test func whateverIsWrongWithACertificateIsSaidWithAdvice() throws {
        let certificate = try Certificate()
        defer { certificate.remove() }
        func path(_ name: String) -> String { certificate.folder.appending(path: name).path }
        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
            return path(name)
        }
        func failure(_ files: StudioConfiguration.TLSFiles, now: Date = Date()) -> ObscuraError? {
            do {
                _ = try ServerCertificate.context(certificate: files.certificate, key: files.key, now: now)
                return nil
            } catch {
                return error
            }
        }
        let (right, key) = (certificate.files.certificate, certificate.files.key)
        #expect(failure(certificate.files) == nil)
        try certificate.make("other.pem", "otherkey.pem", days: 2)
        try Tool.run("openssl", ["pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", path("locked.pem")])
        let damaged = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let cases: [(StudioConfiguration.TLSFiles, String)] = [
            (.init(certificate: path("missing.pem"), key: key), "no such file"),
            (.init(certificate: right, key: path("missing.pem")), "no such file"),
            (.init(certificate: "", key: key), ""),
            (.init(certificate: certificate.folder.path, key: key), "cannot be read"),
            (.init(certificate: try write("text.pem", "hello"), key: key), "no certificate"),
            (.init(certificate: key, key: key), "no certificate"),
            (.init(certificate: right, key: right), "no private key"),
            (.init(certificate: right, key: path("otherkey.pem")), "does not belong"),
            (.init(certificate: right, key: path("locked.pem")), "passphrase"),
            (.init(certificate: right, key: try write("damaged.pem", damaged)), "damaged"),
        ]
        for (files, words) in cases {
            let error = failure(files)
            #expect(error?.code == .invalidCertificate && error?.advice != nil, "\(files)")
            #expect(
                error.map { words.isEmpty || $0.reason.contains(words) } == true,
                "\(files): \(String(describing: error))")
        }
        let later = failure(certificate.files, now: Date(timeIntervalSinceNow: 86400 * 3))
        #expect(later?.reason.contains("expired") == true)
        let earlier = failure(certificate.files, now: Date(timeIntervalSinceNow: -86400 * 3))
        #expect(earlier?.reason.contains("valid only from") == true)
    }
}
