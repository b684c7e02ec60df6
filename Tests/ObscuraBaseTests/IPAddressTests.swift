// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        "8.8.8.8", "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.1.255",
        "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2606:4700:4700::1111",
        "2a00:1450:4001:800::200e", "::ffff:8.8.8.8",
    ])
    func `An address of the internet is public`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0",
        "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255",
        "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.1.2.3",
        "240.0.0.1", "255.255.255.255", "::",
        "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "3fff:fff::1", "fc00::1", "fd12::1",
        "fe80::1", "ff02::1",
    ])
    func `An address of a private network, a link, a test or a group is not public`(_ text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test func `The addresses of this machine are on its link`() throws {
        #expect(try #require(IPAddress("127.0.0.1")).isOnLink && #require(IPAddress("127.9.9.9")).isOnLink)
        #expect(try !#require(IPAddress("240.0.0.1")).isOnLink)
    }
}
