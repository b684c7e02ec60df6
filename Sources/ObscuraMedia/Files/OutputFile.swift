// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

/// An open file or pipe for writing, closed on deallocation.
///
/// Not thread-safe: use one thread at a time. Writing to a pipe whose read end is closed throws only in a process that
/// ignores SIGPIPE.
package final class OutputFile {
    private let path: String
    private let file: FileDescriptor

    private init(path: String, file: FileDescriptor) {
        self.path = path
        self.file = file
    }

    package static func standardOutput() -> OutputFile {
        OutputFile(path: "standard output", file: .standardOutput)
    }

    /// Creates a file, or opens an existing pipe or device. An existing file is truncated if overwriting is allowed.
    package static func create(_ path: String, overwrites: Bool) throws(ObscuraError) -> OutputFile {
        let flags = isSpecialFile(path) ? 0 : O_CREAT | (overwrites ? O_TRUNC : O_EXCL)
        return OutputFile(
            path: path,
            file: try ObscuraError.writing(path) { () throws(SystemError) in
                try FileDescriptor(opening: path, O_WRONLY | flags)
            })
    }

    /// Writes a file atomically; see ``DraftFile``. An existing pipe or device is written to if overwriting is allowed,
    /// since a file must not replace it.
    ///
    /// - Parameters:
    ///   - isSynced: whether data and name are on the disk on return. Otherwise a power loss soon afterwards may leave
    ///     an empty file of this name.
    ///   - permissions: the permissions of a new file; a replaced file keeps its permissions and its owner. Nil: the
    ///     default permissions, also for a replaced file.
    package static func writeWhole(
        _ bytes: [UInt8], to path: String, overwrites: Bool, isSynced: Bool = false, permissions: UInt32? = nil
    ) throws(ObscuraError) {
        if overwrites, isSpecialFile(path) { return try create(path, overwrites: true).write(bytes) }
        let parts = PathParts(path)
        try ObscuraError.writing(path) { () throws(SystemError) in
            try OpenFolder(path: parts.folder).write(
                bytes, to: parts.name, overwrites: overwrites, isSynced: isSynced, permissions: permissions)
        }
    }

    /// Creates a folder, including missing parent folders.
    package static func makeFolder(_ folder: String, permissions: UInt32 = 0o777) throws(ObscuraError) {
        try ObscuraError.writing(folder) { () throws(SystemError) in
            try OpenFolder.make(folder, permissions: permissions)
        }
    }

    /// Whether a file or a folder exists at the path.
    package static func isFile(_ path: String) -> Bool {
        kind(path).map { $0 == .regular || $0 == .folder } ?? false
    }

    /// Whether a pipe, a device or another special file exists at the path.
    private static func isSpecialFile(_ path: String) -> Bool {
        kind(path).map { $0 == .pipe || $0 == .special } ?? false
    }

    private static func kind(_ path: String) -> FileStatus.Kind? { (try? FileStatus(path: path))?.kind }

    /// Writes all bytes; blocks while a pipe is full.
    package func write(_ bytes: [UInt8]) throws(ObscuraError) {
        try ObscuraError.writing(path) { () throws(SystemError) in try file.write(bytes) }
    }

    /// Writes the pixels without padding, plane by plane; blocks while a pipe is full.
    package func write(_ picture: PixelBuffer) throws(ObscuraError) {
        try picture.withPackedParts { (part) throws(ObscuraError) in
            try ObscuraError.writing(path) { () throws(SystemError) in try file.write(part) }
        }
    }

    /// Truncates a file to this number of bytes, so that it ends with a complete frame. Has no effect on a pipe.
    package func truncate(to byteCount: Int64) {
        ftruncate(file.number, Int(byteCount))
    }
}
