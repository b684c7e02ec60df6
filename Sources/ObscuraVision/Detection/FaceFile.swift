// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The files that faces are found with, before OpenCV gets them.
enum FaceFile {
    /// Where Debian, Ubuntu and OpenCV's own `make install` put its data.
    static let folders = ["/usr/share/opencv4", "/usr/local/share/opencv4", "/usr/share/opencv"]

    static let frontalFace = "haarcascade_frontalface_alt.xml"
    static let eye = "haarcascade_eye_tree_eyeglasses.xml"
    static let mouth = "haarcascade_smile.xml"

    /// The path of a cascade of OpenCV's data.
    static func cascade(_ name: String, in folders: [String] = FaceFile.folders) throws(ObscuraError) -> String {
        for folder in folders {
            let path = "\(folder)/haarcascades/\(name)"
            if access(path, R_OK) == 0 { return path }
        }
        throw .noCascade(name)
    }

    /// Throws unless `path` is a readable file that holds something: OpenCV tells neither from a file of another kind.
    static func check(_ path: String, advice: String) throws(ObscuraError) {
        // Non-blocking: a pipe without a writer must not hold anybody up.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path, words(errno), advice: advice) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, words(errno), advice: advice) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, "it is no ordinary file", advice: advice)
        }
        if status.st_size == 0 { throw .empty(path, advice: advice) }
    }

    private static func words(_ number: Int32) -> String {
        SystemError(number).reason
    }
}

#endif
