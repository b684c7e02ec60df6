// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The part of a file that a request asks for, by its header `Range` (RFC 9110, section 14).
package enum ByteRange: Equatable {
    case whole
    /// These bytes; never empty.
    case part(Range<Int64>)
    /// The file has none of the bytes.
    case unsatisfiable

    /// - Parameter header: the value of `Range`; a malformed one, and more than one range, is ignored, which the
    ///   standard allows.
    package init(_ header: String?, size: Int64) {
        let pattern = /bytes=[ \t]*([0-9]*)[ \t]*-[ \t]*([0-9]*)[ \t]*/.ignoresCase()
        guard let header, header.utf8.count <= 128, let ends = header.wholeMatch(of: pattern) else {
            self = .whole
            return
        }
        switch (Self.number(ends.1), Self.number(ends.2)) {
        case (nil, nil): self = .whole
        case (nil, let count?): self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (let first?, let last?) where last < first: self = .whole
        case (let first?, _) where first >= size: self = .unsatisfiable
        case (let first?, let last): self = .part(first..<min(last ?? .max, size - 1) + 1)
        }
    }

    /// Nil for no digits. A number that is too large is behind the end of any file.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }
}
