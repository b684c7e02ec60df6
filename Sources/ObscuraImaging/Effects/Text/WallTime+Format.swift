// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraMedia

extension WallTime {
    /// Returns the time in a format of strftime(3); empty if it is longer than 255 bytes.
    package func formatted(_ format: String) -> String {
        let nanoseconds = nanosecondsSince1970
        var seconds = time_t(
            nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0) + Int64(secondsFromUTC))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        parts.tm_gmtoff = secondsFromUTC
        var bytes = [CChar](repeating: 0, count: 256)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
