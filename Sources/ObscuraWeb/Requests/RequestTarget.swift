// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The path and the query of a request, in the one spelling that we take.
///
/// Each spelling has one meaning: nothing is collapsed, resolved or decoded twice, so that what the gate judges is
/// what the router finds.
package struct RequestTarget: Sendable, Equatable {
    /// The most bytes that a path with its query may have.
    package static let mostBytes = 4096

    /// Still percent-encoded.
    package let path: String
    /// What follows the question mark.
    package let query: String?

    package enum Problem: Error, Equatable {
        /// Nobody needs a path of that length.
        case tooLong
        /// It is no absolute path, or one that could be read in two ways.
        case malformed
    }

    package init(_ target: String) throws(Problem) {
        guard target.utf8.count <= Self.mostBytes else { throw .tooLong }
        // Neither "*" nor "http://…": we are no proxy. What is not printable ASCII must be percent-encoded.
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

    /// The values of `name` in the query, as they stand there; at most four.
    package func values(of name: String) -> [Substring] {
        guard let query else { return [] }
        var values: [Substring] = []
        for item in query.split(separator: "&") where values.count < 4 {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == name { values.append(parts.count > 1 ? parts[1] : "") }
        }
        return values
    }

    /// Whether a segment is neither empty nor "." nor "..", has no backslash, and holds no broken escape and none of
    /// a slash, a backslash or a control character.
    private static func isClear(_ segment: Substring) -> Bool {
        guard !segment.isEmpty, let bytes = PercentCoding.bytes(segment) else { return false }
        let dot = UInt8(ascii: ".")
        return bytes != [dot] && bytes != [dot, dot]
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"/\\".utf8.contains($0) }
    }
}
