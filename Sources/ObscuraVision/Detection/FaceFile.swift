// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The files of cascades and models.
enum FaceFile {
    /// The data folders of Debian, Ubuntu and OpenCV's own `make install`.
    static let folders = ["/usr/share/opencv4", "/usr/local/share/opencv4", "/usr/share/opencv"]

    static let frontalFace = "haarcascade_frontalface_alt.xml"
    static let eye = "haarcascade_eye_tree_eyeglasses.xml"
    static let mouth = "haarcascade_smile.xml"

    /// Returns the path of a cascade in OpenCV's data.
    static func cascade(_ name: String, in folders: [String] = FaceFile.folders) throws(ObscuraError) -> String {
        for folder in folders {
            let path = "\(folder)/haarcascades/\(name)"
            if access(path, R_OK) == 0 { return path }
        }
        throw .noCascade(name)
    }

    /// Throws unless `path` is a readable, non-empty file; OpenCV does not distinguish these errors.
    static func check(_ path: String, advice: String) throws(ObscuraError) {
        let status: FileStatus
        do throws(SystemError) {
            // Non-blocking, since a pipe without a writer would block.
            status = try FileStatus(of: FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK))
        } catch {
            throw .unreadable(path, error.reason, advice: advice)
        }
        guard status.kind == .regular else { throw .unreadable(path, "it is not a regular file", advice: advice) }
        if status.size == 0 { throw .empty(path, advice: advice) }
    }
}
