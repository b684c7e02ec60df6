// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

@Suite struct BroadcastTargetTests {
    @Test(arguments: [
        ("rtmp://host/app/key", BroadcastDestination.Kind.rtmp), ("RTMPS://host:443/app/key", .rtmp),
        ("rtsp://host:8554/path", .rtsp), ("RTSP://host/path?transport=udp", .rtsp), ("srt://host:9000", .srt),
        ("srt://:9000", .srt), ("udp://239.0.0.1:1234", .udp), ("udp://[::1]:1234/?ttl=4&pkt_size=1316", .udp),
        ("live.m3u8", .hls), ("/a b/live.M3U8", .hls), ("movie.mp4", .movie), ("a/b.mkv", .movie), ("x.mov", .movie),
    ])
    func `Each kind of address is known`(address: String, kind: BroadcastDestination.Kind) throws {
        #expect(try BroadcastDestination(address).kind == kind)
    }

    @Test(arguments: [
        "", "rtmp://", "rtmp://host", "rtmp://host/app", "rtmp:///app/key", "rtmp://host:0/app/key",
        "rtmp://host:99999/app/key", "rtmp://host:x/app/key", "rtsp://", "rtsp:///path", "rtsp://host/p?transport=sctp",
        "srt://host", "srt://host:0", "srt://:9000?mode=caller", "srt://host:1?mode=rendezvous",
        "srt://host:1?latency=-1", "srt://host:1?latency=120000", "srt://host:1?passphrase=short",
        "srt://host:1?pbkeylen=17", "srt://host:1?unknown=1", "srt://host:1?streamid=",
        "srt://host:1?passphrase=%zz12345678",
        "srt://:9000?streamid=me", "rtsps://host/path", "udp://host", "udp://:1234", "udp://me@host:1234",
        "udp://host:1234/path", "udp://host:1234?fifo=1", "udp://host:1234?ttl=%zz",
        "http://host/live.m3u8", "ftp://host/x", "file:///x.mp4",
        "movie.avi", "frames", "50%done/live.m3u8",
        "srt://::1:9000", "rtmp://::1:1935/app/key", "udp://h:1:2", "a b://host/live.m3u8", "://x.mp4",
        "rtmp://host/app/key\nx", "rtmp://ho\u{0}st/app/key", "rtmps://me:word@host/app/key", "RTMPS://me@host/app/key",
    ])
    func `What cannot be sent to is refused, with what it lacks`(address: String) {
        let error = #expect(throws: ObscuraError.self) { try BroadcastDestination(address) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.reason.isEmpty == false)
    }

    @Test(arguments: [
        ("rtmp://a.rtmp.example.com/live2/abcd-efgh-secret", "rtmp://a.rtmp.example.com/live2/***"),
        ("rtmp://host:1935/app/instance/secret?auth=secret", "rtmp://host:1935/app/***"),
        ("rtmps://host/app/secret", "rtmps://host/app/***"),
        ("rtmp://me:sec/ret@host/app/secret", "rtmp://me:***@host/app/***"),
        ("rtsp://me:sec'ret@host/", "rtsp://me:***@host/"),
        ("rtsp://me:secret@host:8554/path", "rtsp://me:***@host:8554/path"),
        ("rtsp://host/path?token=secret", "rtsp://host/path?token=***"),
        ("srt://host:9000?passphrase=secretsecret&streamid=secret", "srt://host:9000"),
        ("srt://[::1]:9000", "srt://[::1]:9000"), ("srt://:9000", "srt://:9000"),
        ("srt://127.0.0.1:9000?mode=listener", "srt://127.0.0.1:9000?mode=listener"),
        ("udp://239.0.0.1:1234", "udp://239.0.0.1:1234"), ("a/live.m3u8", "a/live.m3u8"),
    ])
    func `Keys and passwords are in no text`(address: String, name: String) throws {
        let destination = try BroadcastDestination(address)
        #expect(destination.name == name && "\(destination)" == name && "\([destination])" == "[\(name)]")
        var dumped = ""
        dump(BroadcastEvent.connected(destination), to: &dumped)
        #expect(!dumped.contains("secret") && !String(reflecting: destination).contains("secret"))
        #expect(!"\(destination.target.withoutSecrets("Cannot open \(address) (\(address)).")))".contains("secret"))
    }

    @Test(arguments: [
        "rtmp://host/secret", "rtmp://me:secret@host:0/app/secret", "rtmp://me:secret@/app/secret",
        "gopher://me:secret@host/", "rtpm://host/live/secret", "https://host/live/secret",
        "srt://host:0?passphrase=secretsecret", "rtsp://me:secret@host/p?transport=x",
        "rtsps://me:secret@host/p", "https://me:secret@host/?token=secret", "udp://me:secret@host",
        "udp://host?key=secret", "rtmp:/host/app/secret", "host/app/secret", "rtsp://:8554/live?password=secret",
        "srt://host:9000?passphrase=abcdefghij&secret", "my rtmp://host/app/secret.mp4",
        "rtmps://me:secret@host/app/secret",
    ])
    func `Not even what is refused shows them`(address: String) {
        let error = #expect(throws: ObscuraError.self) { try BroadcastDestination(address) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `The options of SRT are those of its tools`() throws {
        let target = try BroadcastTarget(
            "srt://host:9000?mode=caller&latency=80&passphrase=0123456789%20&pbkeylen=32&streamid=a%2Fb")
        guard case .srt(let address) = target else { return #expect(Bool(false)) }
        #expect(address.host == "host" && address.port == 9000 && address.mode == .caller)
        #expect(address.latency == 80 && address.keyLength == 32)
        #expect(address.passphrase == "0123456789 " && address.streamID == "a/b")
        #expect(!target.isListener)
        #expect(try BroadcastTarget("srt://:9000").isListener)
        #expect(try BroadcastTarget("srt://host:9000?mode=listener").isListener)
    }

    @Test func `The name of the protocol may be in large letters`() throws {
        #expect(try BroadcastTarget("RTMP://host/app/Key") == .rtmp(url: "rtmp://host/app/Key", isSecure: false))
        #expect(try BroadcastTarget("Rtmps://host/app/Key") == .rtmp(url: "rtmps://host/app/Key", isSecure: true))
    }

    @Test func `What is for us is not told the server`() throws {
        guard
            case .rtsp(let url, let transport) = try BroadcastTarget("rtsp://host/path?a=1&transport=udp&b=2")
        else { return #expect(Bool(false)) }
        #expect(url == "rtsp://host/path?a=1&b=2" && transport == .udp)
    }

    @Test(arguments: [
        ("rtsp://:8554", "rtsp://:8554/live"), ("rtsp://:8554/", "rtsp://:8554/live"),
        ("rtsp://:8554/cameras/front", "rtsp://:8554/cameras/front"),
        ("RTSP://me:long%40secret@:8554/live", "rtsp://me:***@:8554/live"),
        ("rtsp://127.0.0.1:8554/a?mode=listener", "rtsp://127.0.0.1:8554/a?mode=listener"),
        ("rtsp://[::1]:8554?mode=Listener", "rtsp://[::1]:8554/live?mode=listener"),
    ])
    func `Without a host this machine serves by RTSP`(address: String, name: String) throws {
        let destination = try BroadcastDestination(address)
        #expect(destination.kind == .rtsp && destination.name == name)
        #expect(destination.target.isListener && destination.target.needsNobody)
        #expect(destination.target.host == nil && destination.target.port == nil)
    }

    @Test(arguments: [
        "rtsp://:0/live", "rtsp://:99999/live", "rtsp://:x/live", "rtsps://:8554/live", "rtsp://me@:8554/live",
        "rtsp://me:@:8554/live", "rtsp://:secret@:8554/live", "rtsp://me:secret7@:8554/live",
        "rtsp://:8554/live?mode=caller", "rtsp://:8554/live?transport=udp", "rtsp://:8554/a b", "rtsp://:8554/live/",
        "rtsp://me:%zz@:8554/live",
        "rtsp://host/live?mode=listener",
    ])
    func `What this machine cannot serve is refused, with what it lacks`(address: String) {
        let error = #expect(throws: ObscuraError.self) { try BroadcastDestination(address) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `without the library of the RTSP server, the error names it`() throws {
        #expect {
            try GStreamer.load("ObscuraNoSuch").get()
        } throws: { error in
            guard let error = error as? ObscuraError else { return false }
            return error.code == .libraryMissing && error.description.contains("libObscuraNoSuch.so")
        }
    }

    @Test func `A server of this machine's is named by its place`() throws {
        let open = try BroadcastDestination.rtspServer()
        #expect(open.name == "rtsp://:8554/live" && open.kind == .rtsp)
        let closed = try BroadcastDestination.rtspServer(at: "127.0.0.1:9/a", user: "m e", password: "p@:/%ä")
        #expect(closed.name == "rtsp://m e:***@127.0.0.1:9/a?mode=listener")
        guard case .rtspServer(let address) = closed.target else { return #expect(Bool(false)) }
        #expect(address.user == "m e" && address.password == "p@:/%ä")
        #expect(open.servedAddress == "rtsp://127.0.0.1:8554/live" && open.servesNetwork)
        #expect(closed.servedAddress == "rtsp://127.0.0.1:9/a" && !closed.servesNetwork)
        #expect(try BroadcastDestination("rtsp://host/live").servedAddress == nil)
        // Nobody is to think that he is protected.
        #expect(throws: ObscuraError.self) { try BroadcastDestination.rtspServer(user: "me") }
        #expect(throws: ObscuraError.self) { try BroadcastDestination.rtspServer(password: "secret") }
        // A server of others may have any option.
        #expect(!(try BroadcastTarget("rtsp://host/live?mode=low")).isListener)
        for place in ["", "8554", "me:secret@:8554", ":8554?mode=caller", "rtsp://:8554", ":8554/a b"] {
            let error = #expect(throws: ObscuraError.self, "\(place)") {
                try BroadcastDestination.rtspServer(at: place)
            }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func `A number behind a name is its port, and no password`() throws {
        guard case .rtsp(let url, _) = try BroadcastTarget("rtsp://me:12/34@:8554") else {
            return #expect(Bool(false))
        }
        let target = try BroadcastTarget(url)
        #expect(target.host == "me" && target.port == 12 && !target.isListener)
    }

    @Test func `Only digits of this machine make an address its own`() throws {
        func servesNetwork(_ host: String) throws -> Bool {
            try BroadcastDestination("rtsp://\(host):8554/live?mode=listener").servesNetwork
        }
        for host in ["127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "LocalHost"] {
            #expect(try !servesNetwork(host), "\(host)")
        }
        for host in ["", "0.0.0.0", "[::]", "127.evil.example", "127.0.0.1.evil.example"] {
            #expect(try servesNetwork(host), "\(host)")
        }
    }

    @Test func `Who may watch is decoded`() throws {
        guard case .rtspServer(let address) = try BroadcastTarget("rtsp://a%3Ab:eight%40or@:8554/live") else {
            return #expect(Bool(false))
        }
        #expect(address.user == "a:b" && address.password == "eight@or" && address.host.isEmpty)
    }

    @Test func `The files of HLS have names of one stem`() throws {
        let path = HLSPath("out:1/my show.m3u8")
        #expect(path.masterName == "my show.m3u8" && path.media == "./out:1/my show-media.m3u8")
        #expect(path.initial == "my show-init.mp4" && path.segments == "./out:1/my show-%06d.m4s")
        #expect(HLSPath("live.m3u8").media == "./live-media.m3u8")
        #expect(HLSPath("/a/live.m3u8").segments == "/a/live-%06d.m4s")
        for (name, number, isDraft) in [("live-000012.m4s", 12, false), ("live-1000000.m4s.tmp", 1_000_000, true)] {
            let segment = try #require(HLSPath("/a/live.m3u8").segment(name))
            #expect(segment.number == number && segment.isDraft == isDraft)
        }
        for name in [
            "live-init.mp4", "live-000001.m4s.bak", "other-000001.m4s", "live-.m4s", "live--1.m4s", "live-².m4s",
        ] {
            #expect(HLSPath("/a/live.m3u8").segment(name) == nil)
        }
    }

    @Test func `Two destinations are the same by their addresses`() throws {
        var one = try BroadcastDestination("rtmp://host/app/key")
        one.startsWhenAvailable = true
        #expect(try Set([one, BroadcastDestination("rtmp://host/app/key")]).count == 1)
        #expect(throws: ObscuraError.self) {
            try BroadcastWriter(to: [one, BroadcastDestination("rtmp://host/app/key")])
        }
        #expect(throws: ObscuraError.self) { try BroadcastWriter(to: []) }
    }
}
