// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Reads the beginning of a still's file.
enum StillFile {
    /// More than any metadata need: what lies further behind is picture.
    private static let most = 64 << 20

    static func beginning(of path: String) throws(ImagingError) -> [UInt8] {
        // Non-blocking: a pipe without a writer must not hold anybody up.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        var bytes = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < most {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { break }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return bytes
    }
}

extension ImagingError {
    fileprivate static func unreadable(_ path: String, _ number: Int32) -> ImagingError {
        ImagingError(
            code: .unreadable, subject: path, reason: String(cString: strerror(number)).lowercased(), advice: nil)
    }
}
