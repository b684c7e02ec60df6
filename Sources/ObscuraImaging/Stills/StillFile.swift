// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The file of a still.
enum StillFile {
    /// Larger than any metadata: all bytes that follow are picture data.
    private static let mostOfBeginning = 64 << 20
    /// Larger than the file of a picture of the maximum size.
    private static let mostOfAll = 1 << 30

    static func beginning(of path: String) throws(ObscuraError) -> [UInt8] {
        try read(path, upTo: mostOfBeginning)
    }

    /// - Throws: ``ObscuraError/Code/tooLarge`` for a file that is too large to be a picture.
    static func whole(of path: String) throws(ObscuraError) -> [UInt8] {
        let bytes = try read(path, upTo: mostOfAll + 1)
        guard bytes.count <= mostOfAll else {
            throw ObscuraError(
                .imaging, .tooLarge, subject: path,
                reason: "the file is larger than \(mostOfAll >> 20) MiB, the limit for photos",
                advice: "Check that it is a photo, such as a JPEG or PNG file.")
        }
        return bytes
    }

    private static func read(_ path: String, upTo most: Int) throws(ObscuraError) -> [UInt8] {
        do throws(SystemError) {
            // Non-blocking, since a pipe without a writer would block.
            let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
            switch try FileStatus(of: file).kind {
            case .regular: return try file.read(upTo: most)
            case .folder: throw SystemError(EISDIR)
            case .link, .pipe, .special: throw SystemError(EINVAL)
            }
        } catch {
            throw ObscuraError(
                .imaging, .unreadable, subject: path, reason: error.reason, advice: nil, errno: error.number)
        }
    }
}
