// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura
internal import ObscuraBase

/// A hidden temporary file, which is renamed when it is complete, and otherwise deleted.
///
/// It is locked while it is being written: an unlocked one was left by a killed process. Must be used by one thread at
/// a time.
final class DraftFile: Sendable {
    let name: String
    private let descriptor: Int32
    private let folder: Int32

    /// - Parameter folder: the descriptor of the folder, which must outlive this object.
    init(_ name: String, in folder: Int32, path: String) throws(ObscuraError) {
        let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .folderGone(path) : ObscuraError(SystemError.last, path)
        }
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        self.name = name
        self.descriptor = descriptor
        self.folder = folder
    }

    /// Deletes the file unless it was renamed.
    deinit {
        discard()
        close(descriptor)
    }

    /// Deletes the hidden file now.
    func discard() {
        unlinkat(folder, name, 0)
    }

    func write(_ bytes: [UInt8], for subject: String) throws(ObscuraError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.count == bytes.count ? bytes : Array(rest)
            let count = Glibc.write(descriptor, part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ObscuraError(count == 0 ? SystemError(EIO) : .last, subject) }
            rest = rest.dropFirst(count)
        }
    }

    /// Blocks until the bytes are on the disk. Does nothing on file systems that do not support it.
    func synchronize(for subject: String) throws(ObscuraError) {
        while fsync(descriptor) != 0 {
            if errno == EINTR { continue }
            guard errno != EINVAL, errno != ENOTSUP else { return }
            throw ObscuraError(SystemError.last, subject)
        }
    }
}
