// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import ObscuraBroadcast
import ObscuraMedia
import TestClient
import Testing

@testable import ObscuraHLS
@testable import ObscuraWeb

/// A server of HLS on a free port of this machine, whose lists and segments are made by hand.
struct TestHLS: ServerUnderTest, Sendable {
    let port: Int
    let folder: URL
    /// Those who ask for the next segment wait here.
    let lists: SegmentListWatch

    /// Starts one, runs `body` and stops it.
    static func run(
        _ limits: RequestLimits = RequestLimits(), credentials: HLSConfiguration.Credentials? = nil,
        allowsOtherSites: Bool = false, _ body: @escaping @Sendable (TestHLS) async throws -> Void
    ) async throws {
        let server = try make(limits, credentials: credentials, allowsOtherSites: allowsOtherSites)
        try await server.serveLists { address, lists in
            let port = try #require(URL(string: address)?.port)
            try await body(TestHLS(port: port, folder: server.folder, lists: lists))
        }
        #expect(!FileManager.default.fileExists(atPath: server.folder.path))
    }

    static func make(
        _ limits: RequestLimits = RequestLimits(), at address: String = "127.0.0.1:0",
        credentials: HLSConfiguration.Credentials? = nil, allowsOtherSites: Bool = false
    ) throws -> HLSServer {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = HLSConfiguration(address: address, credentials: credentials)
        configuration.hostNames = ["kiosk.local"]
        configuration.allowsOtherSites = allowsOtherSites
        return try HLSServer(
            configuration, page: .player(), limits: limits,
            logger: logger)
    }

    /// All at once, as a broadcast writes it.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
    }

    func writeList(_ numbers: ClosedRange<Int>, isEnded: Bool = false) throws {
        try write(Self.list(numbers, isEnded: isEnded), to: "live-media.m3u8")
    }

    /// As FFmpeg writes it.
    static func list(_ numbers: ClosedRange<Int>, isEnded: Bool = false) -> String {
        let segments = numbers.map { "#EXTINF:1.000000,\nlive-\(String($0 + 1_000_000).dropFirst()).m4s\n" }
        return """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:1
            #EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="live-init.mp4"

            """ + segments.joined() + (isEnded ? "#EXT-X-ENDLIST\n" : "")
    }

    /// What the master list is answered to a browser that names us so.
    func status(asHost host: String) async throws -> Int? {
        try await ask("GET /live.m3u8 HTTP/1.1", "Host: \(host)", "Connection: close").status
    }
}

extension HLSServer {
    var folder: URL { URL(fileURLWithPath: destination.address).deletingLastPathComponent() }
}
