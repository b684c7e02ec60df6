// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBroadcast
import ObscuraMedia
import Testing

@testable import ObscuraHLS
@testable import ObscuraWeb

/// How a server of HLS starts and how it ends.
@Suite struct HLSServerLifeTests {
    private struct Broken: Error {}

    private func exists(_ server: HLSServer) -> Bool { FileManager.default.fileExists(atPath: server.folder.path) }

    @Test func itsFolderIsForThisUserAloneAndGoesWithIt() async throws {
        let server = try TestHLS.make()
        #expect(!exists(server) && !server.servesNetwork)
        let rights = try await server.serve { _ in
            try FileManager.default.attributesOfItem(atPath: server.folder.path)[.posixPermissions] as? Int
        }
        #expect(rights == 0o700 && !exists(server))
        // Once more.
        await #expect(throws: Broken.self) { try await server.serve { _ in throw Broken() } }
        #expect(!exists(server))
    }

    @Test func twoOfThemHaveFoldersOfTheirOwn() throws {
        #expect(try TestHLS.make().destination != TestHLS.make().destination)
        #expect(try TestHLS.make().destination.kind == .hls)
    }

    @Test func whenItIsCancelledWhatItServesForIsToo() async throws {
        let server = try TestHLS.make()
        let (addresses, begun) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            try await server.serve { address in
                begun.yield(address)
                for await _ in AsyncStream<Int>(bufferingPolicy: .bufferingNewest(1), { _ in }) {}
                return Task.isCancelled
            }
        }
        for await _ in addresses { break }
        #expect(exists(server))
        task.cancel()
        #expect(try await task.value)
        #expect(!exists(server))
    }

    @Test func aPortThatIsTakenIsSaidToBe() async throws {
        try await TestHLS.run { hls in
            let second = try TestHLS.make(at: "127.0.0.1:\(hls.port)")
            let error = await #expect(throws: ObscuraError.self) {
                try await second.serve { _ in Issue.record("It listens.") }
            }
            #expect(error?.code == .cannotListen && error?.reason == "the port is in use")
            #expect(error?.remedy == .choosePort)
            #expect(!exists(second))
        }
    }

    @Test func anAddressOfAnotherMachineIsSaidToBe() async throws {
        let server = try TestHLS.make(at: "192.0.2.1:0")
        #expect(server.servesNetwork)
        let error = await #expect(throws: ObscuraError.self) { try await server.serve { _ in } }
        #expect(error?.code == .cannotListen && error?.reason == "the address is not available on this host")
    }

    @Test(arguments: [
        ("8080", nil), (":", nil), ("", nil), (":65536", nil), (":-1", nil), ("host:http", nil), ("::1:8080", nil),
        ("http://127.0.0.1:80", nil), ("[::1:80", nil), ("127.0.0.1", nil), ("a b:80", nil),
        (":8080", "0.0.0.0 8080"), ("127.0.0.1:0", "127.0.0.1 0"), ("[::1]:80", "::1 80"), ("[::]:80", ":: 80"),
        ("localhost:80", "127.0.0.1 80"), ("kiosk.local:80", "kiosk.local 80"),
    ])
    func anAddressHasAPort(_ text: String, _ expected: String?) {
        let parts = try? ListenAddress.withPort(text)
        #expect(parts.map { "\($0.address.host) \($0.port)" } == expected)
    }

    @Test func credentialsThatNobodyCouldGiveAreRefused() {
        for (user, password) in [("", "word"), ("me", ""), ("m:e", "word")] {
            #expect(throws: ObscuraError.self, "\(user)") {
                try TestHLS.make(credentials: .init(user: user, password: password))
            }
        }
    }
}
