// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@Suite struct NetworkAddressTests {
    @Test func `An address has all its parts`() throws {
        let address = try #require(NetworkAddress("RTSP://me:p%40ss@host:8554/a/b?c=1&d#e"))
        #expect(address.scheme == "rtsp" && address.user == "me" && address.password == "p%40ss")
        #expect(address.place == "host:8554" && address.hostAndPort == HostAndPort(host: "host", port: 8554))
        #expect(address.path == "/a/b" && address.query == "c=1&d")
        let short = try #require(NetworkAddress("srt://:9000?mode=listener"))
        #expect(short.user == nil && short.password == nil && short.path == "" && short.query == "mode=listener")
        #expect(short.hostAndPort == HostAndPort(host: "", port: 9000))
        #expect(NetworkAddress("udp://h")?.query == nil)
    }

    @Test(arguments: ["", "host", "://host", "1a://host", "a b://host", "ä://host", "rtmp:/host", "a/b://c"])
    func `Without a scheme it is no address`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("rtsp://me@h", "me", nil, "h"), ("rtsp://me:@h", "me", "", "h"), ("rtsp://:word@h", "", "word", "h"),
            ("rtsp://me:a@b@h:1/x", "me", "a@b", "h:1"), ("rtsp://me:a/b@h:1/x", "me", "a/b", "h:1"),
            ("rtsp://me:a#b@h:1/x", "me", "a#b", "h:1"), ("rtsp://me:0/1@h", "me", "0/1", "h"),
            ("rtsp://me:123456/7@h", "me", "123456/7", "h"),
            // What could be a port is one.
            ("rtsp://me:12/34@:8554", nil, nil, "me:12"), ("rtsp://h:554/live@2x", nil, nil, "h:554"),
            ("rtsp://[::1]:554/live@2x", nil, nil, "[::1]:554"), ("rtsp://h/live@2x", nil, nil, "h"),
            ("rtsp://h:1?a=b@c", nil, nil, "h:1"), ("rtsp://h:x?a=b@c", nil, nil, "h:x"),
        ] as [(String, String?, String?, String)])
    func `A password may have a slash that is not escaped`(
        text: String, user: String?, password: String?, place: String
    ) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.user == user && address.password == password && address.place == place)
    }

    @Test func `The items of a query are decoded, each as often as it is there`() throws {
        let items = try #require(NetworkAddress("srt://h:1?mode=caller&Mode=listener&x&y=%26=")?.items)
        #expect(items.map(\.name) == ["mode", "Mode", "x", "y"])
        #expect(items.map(\.value) == ["caller", "listener", "", "&="])
        for query in ["a=%zz", "a=%4", "%00=1", "a=%FF", "a=%+1"] {
            #expect(NetworkAddress("srt://h:1?\(query)")?.items == nil, "\(query)")
        }
        #expect(NetworkAddress("srt://h:1")?.items?.isEmpty == true)
    }

    @Test func `Only plain characters are not encoded`() {
        #expect(PercentCoding.encoded("a-Z_0.~/@:%ä\0") == "a-Z_0.~%2F%40%3A%25%C3%A4%00")
        #expect(PercentCoding.encoded("a b!-", keeping: "!") == "a%20b!%2D")
        #expect(PercentCoding.decoded("a%2fb%C3%A4+") == "a/bä+")
        #expect(PercentCoding.bytes("%FF%00") == [255, 0] && PercentCoding.bytes("%f") == nil)
    }
}
