// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// An open photo or movie of the folder; see ``OpenFile``.
struct MediaFile: Sendable {
    let file: OpenFile

    init(_ file: OpenFile) {
        self.file = file
    }

    var name: String { file.name }
    var status: FileStatus { file.status }
    /// The path of the open file; see ``OpenFile/path``.
    var path: String { file.path }
    /// Size when the file was opened, in bytes.
    var size: Int64 { file.status.size }
    /// Modification date when the file was opened.
    var modified: WallTime { file.status.wallTime }
    /// The HTTP content type, by the file extension.
    var contentType: String { (try? MediaName(name))?.type.contentType ?? "application/octet-stream" }

    /// Reads up to `count` bytes from `offset`; fewer only at the end of the file.
    ///
    /// - Throws: ``ObscuraError/Code/failed`` if the disk fails.
    func read(at offset: Int64, count: Int) throws(ObscuraError) -> [UInt8] {
        do {
            return try file.read(at: offset, count: count)
        } catch {
            throw ObscuraError(error, name)
        }
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` if it is larger than `limit` bytes.
    func whole(upTo limit: Int) throws(ObscuraError) -> [UInt8] {
        guard size <= Int64(limit) else {
            throw ObscuraError(
                .studio, .tooMuch, subject: name, reason: "it is larger than \(limit >> 20) MiB",
                advice: "Open it with another program.")
        }
        return try read(at: 0, count: Int(size))
    }
}

extension FileStatus {
    /// The modification date, on the clock of this machine.
    var wallTime: WallTime {
        WallTime(nanosecondsSince1970: modified, secondsFromUTC: WallTime.now.secondsFromUTC)
    }
}
