// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation

/// A list or a segment, as it is served.
struct LiveFile: ByteSource {
    let name: LiveName
    let file: ServedFile

    var size: Int64 { file.size }
    var modified: Date? { file.modified }
    var contentType: String { name.contentType }
    var entityTag: String { file.entityTag }

    func read(at offset: Int64, count: Int) throws -> [UInt8] { try file.read(at: offset, count: count) }
}
