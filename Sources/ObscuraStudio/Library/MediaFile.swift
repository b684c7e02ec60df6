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
    /// See ``OpenFile/path``.
    var path: String { file.path }
    /// In bytes, when it was opened.
    var size: Int64 { file.status.size }
    /// When it was last changed, before it was opened.
    var modified: WallTime { file.status.wallTime }
    /// As HTTP names it, by the extension of the name.
    var contentType: String { (try? MediaName(name))?.type.contentType ?? "application/octet-stream" }

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
    ///
    /// - Throws: ``ObscuraError/Code/failed`` when the disk does.
    func read(at offset: Int64, count: Int) throws(ObscuraError) -> [UInt8] {
        do {
            return try file.read(at: offset, count: count)
        } catch {
            throw ObscuraError(error, name)
        }
    }

    /// All of the file.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` for more than `limit` bytes.
    func whole(upTo limit: Int) throws(ObscuraError) -> [UInt8] {
        guard size <= Int64(limit) else {
            throw ObscuraError(
                .studio, .tooMuch, subject: name, reason: "it has more than \(limit >> 20) MiB",
                advice: "Open it elsewhere.")
        }
        return try read(at: 0, count: Int(size))
    }
}

extension FileStatus {
    /// The moment of the last change, on the clock of this machine.
    var wallTime: WallTime {
        WallTime(nanosecondsSince1970: modified, secondsFromUTC: WallTime.now.secondsFromUTC)
    }
}
