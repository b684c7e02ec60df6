// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraBase

/// The MD5 digest (RFC 1321), for formats that require it; not for security.
package enum MD5 {
    /// Returns the digest of the bytes as 32 hexadecimal digits in lower case.
    package static func hex(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        libav.av_md5_sum(&digest, bytes, bytes.count)
        return digest.map { $0.zeroPadded(to: 2, radix: 16) }.joined()
    }
}
