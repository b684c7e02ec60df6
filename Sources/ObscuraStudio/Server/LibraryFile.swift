// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraWeb

/// A photo or movie of the library, as it is served.
struct LibraryFile: ByteSource {
    let file: MediaFile

    var size: Int64 { file.size }
    var modified: Date? { Date(timeIntervalSince1970: Double(file.modified.nanosecondsSince1970) / 1e9) }
    var contentType: String { file.contentType }
    var entityTag: String { file.entityTag }

    func read(at offset: Int64, count: Int) throws -> [UInt8] { try file.read(at: offset, count: count) }
}
