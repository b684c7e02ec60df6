// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The header that names the file under which a browser saves a response (RFC 6266, RFC 8187).
package enum ContentDisposition {
    /// - Parameter name: any text; it is escaped, so that it cannot end the header or begin another.
    package static func attachment(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar -> Character in
                let isPlain = (0x20...0x7E).contains(scalar.value) && !["\"", "\\", "%", "/"].contains(scalar)
                return isPlain ? Character(scalar) : "_"
            })
        let encoded = PercentCoding.encoded(name, keeping: "!#$&+-.^_`|~")
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
