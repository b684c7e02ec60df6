// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// Copies a file block by block, together with its modification date.
struct FileCopy {
    private static let blockSize = 1 << 20

    /// UTIME_OMIT, which Swift does not import: keeps the access time.
    private static let omitted = (1 << 30) - 2

    private let source: OpenFile

    init(of source: OpenFile) {
        self.source = source
    }

    /// Appends the contents to an empty file.
    ///
    /// - Parameters:
    ///   - path: the name of the target in errors.
    ///   - checkSpace: called before each block with the number of bytes that are missing.
    func append(
        to target: FileDescriptor, named path: String,
        _ checkSpace: (Int64) throws(ObscuraError) -> Void = { _ throws(ObscuraError) in }
    ) throws(ObscuraError) {
        var offset: Int64 = 0
        while offset < source.status.size {
            try checkSpace(source.status.size - offset)
            let bytes: [UInt8]
            do {
                bytes = try source.read(at: offset, count: Self.blockSize)
            } catch {
                throw ObscuraError(error, reading: source.name, domain: .library)
            }
            guard !bytes.isEmpty else {
                throw ObscuraError(
                    .library, .truncated, subject: source.name, reason: "the file became shorter while it was copied",
                    advice: "Wait until no program writes to the file, then try again.")
            }
            try ObscuraError.writing(path, domain: .library) { () throws(SystemError) in try target.write(bytes) }
            offset += Int64(bytes.count)
        }
        // Starts writing to the disk without waiting for it.
        posix_fadvise(target.number, 0, 0, POSIX_FADV_DONTNEED)
        let (seconds, rest) = source.status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: max(0, Int(rest)))
        _ = futimens(target.number, [timespec(tv_sec: 0, tv_nsec: Self.omitted), time])
    }

    /// Writes a copy atomically, and returns its size in bytes.
    func write(to path: String, overwrites: Bool) throws(ObscuraError) -> Int64 {
        let parts = PathParts(path)
        let draft = try ObscuraError.writing(path) { () throws(SystemError) in
            try DraftFile(in: OpenFolder(path: parts.folder), isNameless: false)
        }
        try append(to: draft.file, named: path)
        try ObscuraError.writing(path) { () throws(SystemError) in
            try draft.take(parts.name, overwrites: overwrites)
        }
        return source.status.size
    }
}
