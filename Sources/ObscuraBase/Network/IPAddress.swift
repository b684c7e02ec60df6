// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A numeric IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
    /// The address in 32-bit words: one for IPv4, also for an IPv4-mapped address (`::ffff:192.0.2.1`); four for IPv6.
    private let words: [UInt32]

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

    /// The IPv4 address, or the 64-bit network of an IPv6 address, which usually belongs to one user.
    package var network: String {
        words.count == 1
            ? [24, 16, 8, 0].map { "\(words[0] >> $0 & 255)" }.joined(separator: ".")
            : words[..<2].map { String($0, radix: 16) }.joined(separator: ":")
    }
}
