// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraBase
package import ObscuraMedia

/// An open photo or movie of a library; see `OpenFile`.
package struct MediaFile: Sendable {
    package let file: OpenFile

    package init(_ file: OpenFile) {
        self.file = file
    }

    /// Opens a regular file by its path. Unlike a file of a library, it may be a link. Blocks.
    package init(opening path: String) throws(ObscuraError) {
        do throws(SystemError) {
            let opened = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            file = try OpenFile(opened, name: PathParts(path).name)
        } catch {
            guard error.number == ENOENT, let kind = try? FileStatus(path: path).kind else {
                throw ObscuraError(error, reading: path, domain: .library)
            }
            throw ObscuraError(
                .library, .unreadable, subject: path,
                reason: kind == .folder ? "it is a folder, not a file" : "it is not a regular file")
        }
    }

    package var name: String { file.name }
    package var status: FileStatus { file.status }
    /// The path of the open file; see `OpenFile.path`.
    package var path: String { file.path }
    /// Size when the file was opened, in bytes.
    package var size: Int64 { file.status.size }
    /// Modification date when the file was opened.
    package var modified: WallTime { file.status.wallTime }
    /// The type, by the file extension; nil for an unknown one.
    package var type: MediaFileType? {
        name.lastIndex(of: ".").flatMap { MediaFileType(ending: name[name.index(after: $0)...]) }
    }

    /// Reads up to `count` bytes from `offset`; fewer only at the end of the file.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable`` if the disk fails.
    package func read(at offset: Int64, count: Int) throws(ObscuraError) -> [UInt8] {
        do {
            return try file.read(at: offset, count: count)
        } catch {
            throw ObscuraError(error, reading: name, domain: .library)
        }
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``ObscuraError/Code/tooLarge`` if it is larger than `limit` bytes.
    package func whole(upTo limit: Int) throws(ObscuraError) -> [UInt8] {
        guard size <= Int64(limit) else {
            throw ObscuraError(
                .library, .tooLarge, subject: name, reason: "it is larger than \(limit >> 20) MiB",
                advice: "Open it with another program.")
        }
        return try read(at: 0, count: Int(size))
    }
}

extension FileStatus {
    /// The modification date, on the clock of this machine.
    package var wallTime: WallTime {
        WallTime.local(nanosecondsSince1970: modified)
    }
}
