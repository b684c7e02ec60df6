// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The part of a file that the header `Range` requests (RFC 9110, section 14).
package enum ByteRange: Equatable {
    case whole
    /// A non-empty range of bytes.
    case part(Range<Int64>)
    /// The range does not overlap the file.
    case unsatisfiable

    /// - Parameter header: the value of `Range`. A malformed value or multiple ranges are ignored, as the standard
    ///   permits.
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

    /// Returns nil if there are no digits. A number that is too large is beyond the end of any file.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }
}
