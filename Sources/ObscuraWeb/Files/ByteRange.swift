// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What of a file a request asks for, by its header `Range` (RFC 9110, section 14).
package enum ByteRange: Equatable {
    case whole
    /// These bytes; never empty.
    case part(Range<Int64>)
    /// None of it is there.
    case unsatisfiable

    /// - Parameter header: the value of `Range`; what is not understood, and more than one range, is ignored, which the
    ///   standard allows.
    package init(_ header: String?, size: Int64) {
        guard let header, header.utf8.count <= 128, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let text = header.dropFirst(6).filter { $0 != " " && $0 != "\t" }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil):
            self = .whole
        case (nil, let count?):
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (let first?, let last):
            if let last, last < first {
                self = .whole
            } else if first >= size {
                self = .unsatisfiable
            } else {
                self = .part(first..<min(size, last.map { $0 &+ 1 > 0 ? $0 + 1 : size } ?? size))
            }
        }
    }

    /// A number, nil for nothing, and nothing at all for what is neither.
    private static func number(_ text: Substring) -> Int64?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        // What is too large to be a number is behind the end of any file.
        return .some(Int64(text) ?? .max)
    }
}
