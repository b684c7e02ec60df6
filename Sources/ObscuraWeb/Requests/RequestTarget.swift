// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The path and query of a request, in the only accepted spelling.
///
/// Nothing is normalized, resolved or decoded twice, so that the gate and the router see the same path.
package struct RequestTarget: Sendable, Equatable {
    /// Maximum length of the path and query, in bytes.
    package static let mostBytes = 4096

    /// The path, percent-encoded.
    package let path: String
    /// The part after the question mark.
    package let query: String?

    package enum Problem: Error, Equatable {
        /// The target exceeds the maximum length.
        case tooLong
        /// The target is not an absolute path, or is ambiguous.
        case malformed
    }

    package init(_ target: String) throws(Problem) {
        guard target.utf8.count <= Self.mostBytes else { throw .tooLong }
        // Neither "*" nor "http://…", since this is not a proxy. Anything but printable ASCII must be percent-encoded.
        guard target.utf8.first == UInt8(ascii: "/"),
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { throw .malformed }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : nil
        if path == "/" { return }
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard Self.isClear(segment) else { throw .malformed }
        }
    }

    /// Returns up to four values of `name` in the query, percent-encoded.
    package func values(of name: String) -> [Substring] {
        guard let query else { return [] }
        var values: [Substring] = []
        for item in query.split(separator: "&") where values.count < 4 {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == name { values.append(parts.count > 1 ? parts[1] : "") }
        }
        return values
    }

    /// Whether a segment is neither empty nor "." nor "..", has no backslash and no invalid escape, and decodes to no
    /// slash, backslash or control character.
    private static func isClear(_ segment: Substring) -> Bool {
        guard !segment.isEmpty, let bytes = PercentCoding.bytes(segment) else { return false }
        let dot = UInt8(ascii: ".")
        return bytes != [dot] && bytes != [dot, dot]
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"/\\".utf8.contains($0) }
    }
}
