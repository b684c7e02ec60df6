// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

/// The tags of `ETag` and `If-None-Match`.
package enum EntityTag {
    /// Returns a tag for these bytes: a 64-bit FNV-1a hash, which distinguishes versions of a file but is not
    /// tamper-proof.
    package static func of(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"\(String(hash, radix: 16))-\(bytes.count)\""
    }

    /// Returns a tag for the version of an open file.
    package static func of(_ file: OpenFile) -> String { "\"\(file.tag)\"" }

    /// Whether `If-None-Match` contains `tag`, strong or weak.
    package static func isNamed(_ tag: String, in header: String) -> Bool {
        header.split(separator: ",").contains { item in
            var item = item.drop { $0 == " " }
            while item.last == " " { item.removeLast() }
            return item == "*" || item == tag || (item.hasPrefix("W/") && item.dropFirst(2) == tag)
        }
    }
}
