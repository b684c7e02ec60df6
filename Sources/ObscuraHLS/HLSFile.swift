// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraBase
internal import ObscuraWeb

/// A list or a segment, as it is served.
struct HLSFile: ByteSource {
    let name: HLSName
    let file: OpenFile

    var size: Int64 { file.status.size }
    var modified: Date? { Date(timeIntervalSince1970: Double(file.status.modified) / 1e9) }
    var contentType: String { name.contentType }
    var entityTag: String { "\"\(file.tag)\"" }

    func read(at offset: Int64, count: Int) throws -> [UInt8] { try file.read(at: offset, count: count) }
}
