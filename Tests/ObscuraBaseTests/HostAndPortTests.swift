// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("host", "host", nil), ("host:80", "host", 80), ("192.0.2.1:1", "192.0.2.1", 1), (":8554", "", 8554),
            ("[::1]", "::1", nil), ("[::1]:65535", "::1", 65_535), ("[fe80::1%eth0]:9", "fe80::1%eth0", 9),
            ("", "", nil),
        ] as [(String, String, Int?)])
    func `A host and a port are split, and written the same way`(text: String, host: String, port: Int?) {
        let place = HostAndPort(text)
        #expect(place == HostAndPort(host: host, port: port))
        #expect(place?.description == text)
    }

    @Test(arguments: [
        ":", "host:", "host:0", "host:65536", "host:000080", "host:8x", "host:+8", "host:-8", "host:²", "a:b:80",
        "::1", "::1:80", "[::1", "[]", "[]:80", "[::1]80", "[::1]::80", "[127.0.0.1]:80", "[host]:80", "[a:b]:80",
        "[::1]]:80", "host:80:80", "host:80 ",
    ])
    func `What is not one host with one port is refused`(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test func `A listener may ask for port 0`() {
        #expect(HostAndPort(":0", ports: 0...65_535)?.port == 0)
        #expect(HostAndPort(":65536", ports: 0...65_535) == nil)
    }

    @Test func `An address in digits knows whether it is this machine`() {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"] {
            #expect(IPAddress(text)?.isLoopback == true, "\(text)")
        }
        for text in ["128.0.0.1", "10.0.0.1", "::", "::2", "::ffff:10.0.0.1", "2001:db8::1"] {
            #expect(IPAddress(text)?.isLoopback == false, "\(text)")
        }
        for text in [
            "", "localhost", "127.1", "127.0.0.01", "127.0.0.1.example", "256.0.0.1", "[::1]", "::1%lo", "1:2:3",
            "127.0.0.1\0.example",
        ] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
    }

    @Test func `Users of one IPv6 network are one`() {
        #expect(IPAddress("10.1.2.3")?.network == "10.1.2.3")
        #expect(IPAddress("::ffff:10.1.2.3")?.network == "10.1.2.3")
        #expect(IPAddress("2001:db8:1:2::1")?.network == IPAddress("2001:db8:1:2:ffff::9")?.network)
        #expect(IPAddress("2001:db8:1:2::1")?.network != IPAddress("2001:db8:1:3::1")?.network)
    }
}
