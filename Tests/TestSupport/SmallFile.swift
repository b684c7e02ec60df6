// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc

/// The text of a small file, also of one whose size the system gives as 0: an empty one, or one in /proc. Foundation
/// (Swift 6.3) leaks 4 KiB with each of those, which the address sanitizer reports.
package enum SmallFile {
    /// Nil when it cannot be read.
    package static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
