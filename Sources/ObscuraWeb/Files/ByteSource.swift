// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation

/// What can be served in parts: a file that is open.
package protocol ByteSource: Sendable {
    /// In bytes.
    var size: Int64 { get }
    /// Nil where nobody knows.
    var modified: Date? { get }
    /// Such as "image/jpeg".
    var contentType: String { get }
    /// What changes whenever the bytes do, in quotation marks.
    var entityTag: String { get }

    /// Bytes from `offset` on: `count` of them, or fewer where the file ends before. It may block, and is called on a
    /// thread that may.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}
