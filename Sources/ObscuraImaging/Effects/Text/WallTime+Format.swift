// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraMedia

extension WallTime {
    /// Returns the time in a format of strftime(3); empty if it is longer than 255 bytes.
    package func formatted(_ format: String) -> String {
        let nanoseconds = nanosecondsSince1970
        var seconds = time_t(nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0))
        var parts = tm()
        localtime_r(&seconds, &parts)
        if parts.tm_gmtoff == secondsFromUTC { return Self.text(of: parts, format) }
        // A time zone other than that of this machine, whose name is unknown.
        seconds += secondsFromUTC
        gmtime_r(&seconds, &parts)
        parts.tm_gmtoff = secondsFromUTC
        return zone.withCString { name in
            parts.tm_zone = name
            return Self.text(of: parts, format)
        }
    }

    private static func text(of parts: tm, _ format: String) -> String {
        var parts = parts
        var bytes = [CChar](repeating: 0, count: 256)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
