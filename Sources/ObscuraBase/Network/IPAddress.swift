// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A numeric IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
    /// The address in 32-bit words: one for IPv4, also for an IPv4-mapped address (`::ffff:192.0.2.1`); four for IPv6.
    let words: [UInt32]

    /// Parses an address; returns nil for names, brackets and short forms such as `127.1`.
    package init?(_ text: String) {
        // In C, a zero byte would end the text.
        guard !text.utf8.contains(0) else { return nil }
        var (short, long) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &short) == 1 {
            words = [UInt32(bigEndian: short.s_addr)]
        } else if inet_pton(AF_INET6, text, &long) == 1 {
            let parts = long.__in6_u.__u6_addr32
            let all = [parts.0, parts.1, parts.2, parts.3].map(UInt32.init(bigEndian:))
            words = all[..<3] == [0, 0, 0xFFFF] ? [all[3]] : all
        } else {
            return nil
        }
    }

    /// Whether this is a loopback address.
    package var isLoopback: Bool { words.count == 1 ? words[0] >> 24 == 127 : words == [0, 0, 0, 1] }

    /// Whether the address can belong to a machine on the internet: none of a private network, of this machine or of
    /// this link, and none for documentation, tests or groups.
    ///
    /// Source: the IANA registries of special-purpose addresses. IPv6 addresses that contain an IPv4 address (6to4,
    /// Teredo, NAT64) count as not public, because they may lead to any.
    package var isPublic: Bool {
        guard words.count == 1 else {
            // 2000::/3 without 2001::/23 (Teredo and other protocols), 2001:db8::/32, 2002::/16 (6to4) and 3fff::/20.
            return words[0] >> 29 == 1 && words[0] >> 9 != 0x2001_0000 >> 9 && words[0] != 0x2001_0DB8
                && words[0] >> 16 != 0x2002 && words[0] >> 12 != 0x3FFF_0000 >> 12
        }
        let special: [(network: UInt32, bits: UInt32)] = [
            (0, 8), (10 << 24, 8), (0x6440_0000, 10), (127 << 24, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
            (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
            (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
        ]
        return !special.contains { words[0] >> (32 - $0.bits) == $0.network >> (32 - $0.bits) }
    }

    /// The IPv4 address, or the 64-bit network of an IPv6 address, which usually belongs to one user.
    package var network: String {
        words.count == 1
            ? [24, 16, 8, 0].map { "\(words[0] >> $0 & 255)" }.joined(separator: ".")
            : words[..<2].map { String($0, radix: 16) }.joined(separator: ":")
    }
}
