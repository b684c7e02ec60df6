// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// Reads the file of a still.
enum StillFile {
    /// Larger than any metadata: what follows is picture data.
    private static let mostOfBeginning = 64 << 20
    /// Larger than the file of a picture of the maximum size.
    private static let mostOfAll = 1 << 30

    static func beginning(of path: String) throws(ObscuraError) -> [UInt8] {
        try read(path, upTo: mostOfBeginning)
    }

    /// - Throws: ``ObscuraError/Code/tooLarge`` for what cannot be a picture.
    static func whole(of path: String) throws(ObscuraError) -> [UInt8] {
        let bytes = try read(path, upTo: mostOfAll + 1)
        guard bytes.count <= mostOfAll else {
            throw ObscuraError(
                .imaging, .tooLarge, subject: path, reason: "it is larger than \(mostOfAll >> 20) MiB",
                advice: "Give a JPEG or a PNG.")
        }
        return bytes
    }

    private static func read(_ path: String, upTo most: Int) throws(ObscuraError) -> [UInt8] {
        // Non-blocking, since a pipe without a writer would block.
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
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { break }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return bytes
    }
}

extension ObscuraError {
    fileprivate static func unreadable(_ path: String, _ number: Int32) -> ObscuraError {
        ObscuraError(
            .imaging, .unreadable, subject: path, reason: SystemError(number).reason, advice: nil)
    }
}
