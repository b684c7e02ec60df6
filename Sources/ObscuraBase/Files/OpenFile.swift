// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open regular file: reads use the file that was checked, even if its name changes.
///
/// Thread-safe. Reading blocks on the disk.
package final class OpenFile: Sendable {
    package let name: String
    /// The status at the time of opening.
    package let status: FileStatus
    private let descriptor: Int32

    /// Takes ownership of the descriptor, and closes it also on failure.
    ///
    /// - Throws: `ENOENT` if it is not a regular file.
    init(owning descriptor: Int32, name: String) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let regular = FileStatus(status) else {
            close(descriptor)
            throw SystemError(ENOENT)
        }
        self.descriptor = descriptor
        self.name = name
        self.status = regular
    }

    deinit {
        close(descriptor)
    }

    /// A tag that changes with the content.
    package var tag: String {
        [status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// A path to this exact file, valid while this object exists; it has no extension. For libraries that require
    /// paths.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Returns up to `count` bytes from `offset` on; fewer only at the end of the file.
    package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        let available = max(0, status.size - max(0, offset))
        guard offset >= 0, count > 0, available > 0 else { return [] }
        let wanted = Int(min(Int64(count), available))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = try fill(&bytes, at: offset)
        // A read may return fewer bytes in the middle of a file.
        while filled < wanted {
            var rest = [UInt8](repeating: 0, count: wanted - filled)
            let got = try fill(&rest, at: offset + Int64(filled))
            guard got > 0 else { break }
            bytes.replaceSubrange(filled..<filled + got, with: rest.prefix(got))
            filled += got
        }
        if filled < wanted { bytes.removeLast(wanted - filled) }
        return bytes
    }

    private func fill(_ bytes: inout [UInt8], at offset: Int64) throws(SystemError) -> Int {
        while true {
            let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }
}
