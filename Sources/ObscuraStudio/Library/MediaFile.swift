// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura

/// An open photo or movie of the folder: what is read is what was checked, whatever happens to its name meanwhile.
///
/// Any thread. Reading blocks on the disk.
final class MediaFile: Sendable {
    let name: String
    let status: FileStatus
    /// As HTTP names it, by the ending of the name.
    let contentType: String
    private let descriptor: Int32

    /// Takes the descriptor over, and closes it also when it is not taken.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchItem`` for what is no regular file.
    init(owning descriptor: Int32, name: String) throws(ObscuraError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let regular = FileStatus(status) else {
            close(descriptor)
            throw .noSuchItem(name)
        }
        self.descriptor = descriptor
        self.name = name
        self.status = regular
        contentType = (try? MediaName(name))?.type.contentType ?? "application/octet-stream"
    }

    deinit {
        close(descriptor)
    }

    /// In bytes, when it was opened.
    var size: Int64 { status.size }
    /// When it was last changed, before it was opened.
    var modified: WallTime { status.wallTime }

    /// Differs whenever the bytes do; without the quotation marks that HTTP puts around it.
    var entityTag: String {
        [status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// A path that leads to this very file for as long as this object is held; it has no ending. For libraries that
    /// take paths.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
    ///
    /// - Throws: ``ObscuraError/Code/failed`` when the disk does.
    func read(at offset: Int64, count: Int) throws(ObscuraError) -> [UInt8] {
        let available = max(0, status.size - max(0, offset))
        guard offset >= 0, count > 0, available > 0 else { return [] }
        let wanted = Int(min(Int64(count), available))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = try fill(&bytes, at: offset)
        // A read may be short in the middle of a file.
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

    /// All of the file.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` for more than `limit` bytes.
    func whole(upTo limit: Int) throws(ObscuraError) -> [UInt8] {
        guard status.size <= Int64(limit) else {
            throw ObscuraError(
                .studio, .tooMuch, subject: name, reason: "it has more than \(limit >> 20) MiB",
                advice: "Open it elsewhere.")
        }
        return try read(at: 0, count: Int(status.size))
    }

    private func fill(_ bytes: inout [UInt8], at offset: Int64) throws(ObscuraError) -> Int {
        while true {
            let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw ObscuraError(system: errno, name) }
        }
    }
}
