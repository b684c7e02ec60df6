// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import HTTPTypes
import Hummingbird
import NIOCore
import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite(.hangLimit) struct RemoteMediaTests {
    /// Runs a web server at 127.0.0.1, and passes its address without a slash at the end.
    private static func serving(
        _ body: @escaping @Sendable (_ address: String, _ port: Int) async throws -> Void
    ) async throws {
        try await TestWebServer.run(
            { router in
                router.get("/file.jpg") { _, _ in
                    Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 7, count: 100_000)))
                }
                router.get("/endless") { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            while true { try await writer.write(ByteBuffer(repeating: 1, count: 10_000)) }
                        })
                }
                router.get("/to/{number}") { _, context in
                    let number = try context.parameter("number")
                    let left = Int(number) ?? 0
                    return Response(status: .found, headers: [.location: left == 0 ? "/file.jpg" : "\(left - 1)"])
                }
                router.get("/inside") { request, _ in
                    let port = request.head.authority?.split(separator: ":").last ?? ""
                    return Response(
                        status: .movedPermanently, headers: [.location: "http://127.0.0.2:\(port)/file.jpg"])
                }
                router.get("/passwords") { _, _ in Response(status: .found, headers: [.location: "file:///etc/passwd"])
                }
            }, body)
    }

    private static func download(
        _ address: String, upTo limit: Int64 = 1 << 20, with media: RemoteMedia = RemoteMedia(access: .everywhere)
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await media.download(address, upTo: limit) { bytes += $0 }
        return bytes
    }

    private static func code(
        of address: String, upTo limit: Int64 = 1 << 20, with media: RemoteMedia = RemoteMedia(access: .everywhere)
    ) async -> ObscuraError.Code? {
        await #expect(throws: ObscuraError.self) { try await download(address, upTo: limit, with: media) }?.code
    }

    @Test func `A file arrives whole, also after redirects`() async throws {
        try await Self.serving { address, _ in
            for path in ["file.jpg", "to/0", "to/4"] {
                let bytes = try await Self.download("\(address)/\(path)")
                #expect(bytes == [UInt8](repeating: 7, count: 100_000))
            }
            #expect(await Self.code(of: "\(address)/to/6") == .connectionFailed)
            #expect(await Self.code(of: "\(address)/nothing") == .noSuchItem)
            #expect(await Self.code(of: "\(address)/passwords") == .invalidLocation)
        }
    }

    @Test func `A large file is rejected, whether the server tells its size or not`() async throws {
        try await Self.serving { address, _ in
            #expect(await Self.code(of: "\(address)/file.jpg", upTo: 99_999) == .tooMuch)
            #expect(await Self.code(of: "\(address)/endless") == .tooMuch)
        }
    }

    @Test func `A download that does not end is given up`() async throws {
        try await Self.serving { address, _ in
            let media = RemoteMedia(patience: .milliseconds(300)) { _ in true }
            let error = await #expect(throws: ObscuraError.self) {
                try await media.download("\(address)/endless", upTo: .max) { _ in }
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func `Internal addresses are rejected in every spelling, before anything is sent`() async throws {
        try await Self.serving { _, port in
            let hosts = [
                "127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "017700000001", "0.0.0.0", "[::1]",
                "[::ffff:127.0.0.1]",
            ]
            for host in hosts {
                let code = await Self.code(
                    of: "http://\(host):\(port)/file.jpg", with: RemoteMedia(access: .publicOnly))
                #expect(code == .notAllowed || code == .hostNotFound, "\(host)")
            }
        }
    }

    @Test func `A redirect to an internal address is rejected`() async throws {
        try await Self.serving { address, _ in
            let media = RemoteMedia { $0 == IPAddress("127.0.0.1") }
            let bytes = try await Self.download("\(address)/file.jpg", with: media)
            #expect(bytes.count == 100_000)
            #expect(await Self.code(of: "\(address)/inside", with: media) == .notAllowed)
        }
    }

    @Test func `Nobody at the other end is an error that names the address`() async throws {
        let error = await #expect(throws: ObscuraError.self) {
            try await Self.download("http://127.0.0.1:1/photo.jpg?token=secret")
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.subject == "http://127.0.0.1:1/photo.jpg?token=***")
    }

    @Test func `A cancelled download ends`() async throws {
        try await Self.serving { address, _ in
            let (begun, began) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task {
                try await RemoteMedia(access: .everywhere).download("\(address)/endless", upTo: .max) { _ in
                    began.yield()
                }
            }
            for await _ in begun { break }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }
}
