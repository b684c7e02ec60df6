// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("What a movie may open")
struct MovieSecurityTests {
    private static let secret = "the-secret-of-this-test"

    /// A pipe on disk: nobody can open it for writing without waiting unless somebody reads it, which shows
    /// whether a movie opened it.
    private static func pipe(_ name: String) throws -> String {
        let path = TestMovies.folder.appending(path: name).path
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    /// Runs `body` while a thread tries to write the secret; returns whether anybody opened the pipe.
    private static func wasOpened(_ path: String, _ body: () -> Void) -> Bool {
        // Who closes the pipe while it is being written to must not end the process of the tests.
        signal(SIGPIPE, SIG_IGN)
        let (isDone, wasOpened) = (Lock(false), Lock(false))
        let writer = WorkerThread(name: "secret") {
            while !isDone.withLock({ $0 }) {
                let file = open(path, O_WRONLY | O_NONBLOCK)
                guard file >= 0 else {
                    _ = isDone.wait(until: .now + .milliseconds(1)) { $0 ? true : nil }
                    continue
                }
                wasOpened.withLock { $0 = true }
                _ = write(file, secret, secret.utf8.count)
                close(file)
            }
        }
        body()
        isDone.withLockSignalling { $0 = true }
        _ = writer?.join(until: .now + waitLimit)
        return wasOpened.withLock { $0 }
    }

    @Test(
        "A playlist on disk is refused, and what it names is not opened",
        arguments: [
            ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n%@\n#EXT-X-ENDLIST\n"),
            ("list.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://%@\n#EXT-X-ENDLIST\n"),
            ("list.ffconcat", "ffconcat version 1.0\nfile '%@'\n"),
            ("list.mkv", "ffconcat version 1.0\nfile '%@'\n"),
            ("list.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"),
            (
                "list.mpd",
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"><BaseURL>%@</BaseURL></MPD>"
            ),
            ("list.idx", "# VobSub index file, v7\nid: en, index: 0\n"),
        ])
    func playlists(name: String, content: String) throws {
        let secret = try Self.pipe("secret-of-\(name)")
        let path = try TestMovies.file(name, Data(content.replacingOccurrences(of: "%@", with: secret).utf8))
        var error: ObscuraError?
        let wasOpened = Self.wasOpened(secret) {
            error = #expect(throws: ObscuraError.self) { try MovieReader(path) }
        }
        #expect(!wasOpened)
        #expect(error?.code == .unsupportedContainer)
        #expect(error?.description.contains(Self.secret) == false)
    }

    @Test("The trap works: reading the pipe itself is seen")
    func trapWorks() throws {
        let secret = try Self.pipe("bait")
        let wasOpened = Self.wasOpened(secret) { _ = try? MovieReader(secret) }
        #expect(wasOpened)
    }

    @Test(
        "A text that looks like one of FFmpeg's protocols is the name of a file",
        arguments: [
            "concat:%@", "concat:%@|%@", "subfile,,start,0,end,0,,:%@", "crypto:%@", "cache:%@", "async:%@", "file:%@",
            "data:video/mp4;base64,AAAA", "pipe:0", "fd:0", "tee:%@",
        ])
    func protocolsInNames(text: String) throws {
        let name = text.replacingOccurrences(of: "%@", with: try TestMovies.h264())
        let error = #expect(throws: ObscuraError.self) { try MovieReader(name) }
        #expect(error?.code == .notFound)
    }

    @Test("A protocol that is not served is refused by name", arguments: ["gopher", "ftp", "sftp", "concat", "hls"])
    func unknownProtocols(scheme: String) {
        let error = #expect(throws: ObscuraError.self) { try MovieReader("\(scheme)://127.0.0.1/a.mp4") }
        #expect(error?.code == .unsupportedProtocol)
        #expect(error?.advice?.contains("rtsp://") == true)
    }

    @Test("A file address is the file")
    func fileAddress() throws {
        let path = try TestMovies.path("with space.mp4", ["-i", try TestMovies.h264(), "-c", "copy"])
        let address = "file://" + path.replacingOccurrences(of: " ", with: "%20")
        #expect(try Reading(address).frames.count == 50)
        #expect(#expect(throws: ObscuraError.self) { try MovieReader("file://host/a.mp4") }?.code == .notFound)
    }

    @Test("A file whose name has a number pattern is that one file")
    func numberPattern() throws {
        _ = try TestMovies.path("picture-001.jpg", TestMovies.source(seconds: "1") + ["-frames:v", "1"])
        let bytes = try Data(contentsOf: TestMovies.folder.appending(path: "picture-001.jpg"))
        let path = try TestMovies.file("picture-%03d.jpg", bytes)
        #expect(try Reading(path).frames.count == 1)
        #expect(throws: ObscuraError.self) {
            try MovieReader(TestMovies.folder.appending(path: "picture-%02d.jpg").path)
        }
    }

    @Test("Passwords are masked in whatever an error says")
    func passwordsAreMasked() throws {
        for address in [
            "http://user:geheim@127.0.0.1:1/a.mp4", "rtsp://user:geheim@127.0.0.1:1/a", "gopher://user:geheim@h/",
            "http://127.0.0.1:1/a?token=geheim&x=1",
        ] {
            let error = try #require(#expect(throws: ObscuraError.self) { try MovieReader(address) })
            #expect(!error.description.contains("geheim"))
            #expect(!"\(error)".contains("geheim") && !error.subject.contains("geheim"))
        }
    }

    @Test("A pipe with a movie is read, and a silent one gives up when it is cancelled")
    func pipes() throws {
        let silent = try Self.pipe("silent")
        let writer = open(silent, O_RDWR)
        defer { close(writer) }
        let control = ReadControl()
        let error = Lock<ObscuraError?>(nil)
        let reader = WorkerThread(name: "reader") {
            do throws(ObscuraError) {
                _ = try MovieReader(silent, control: control)
            } catch let failure {
                error.withLock { $0 = failure }
            }
        }
        control.cancel()
        #expect(reader?.join(until: .now + waitLimit) == true)
        #expect(error.withLock { $0 }?.code == .cancelled)
    }
}
