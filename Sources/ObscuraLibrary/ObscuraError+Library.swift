// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraMedia

extension ObscuraError.Domain {
    /// The domain of errors of the photo library.
    public static let library = Self("library")
}

extension ObscuraError {
    static func noSuchItem(_ path: String) -> ObscuraError {
        ObscuraError(
            .library, .notFound, subject: path, reason: "the library has no such photo or movie",
            advice: "Use a path relative to the folder of the library. The file may have been deleted or renamed.")
    }

    static func invalidPath(_ path: String, _ reason: String) -> ObscuraError {
        ObscuraError(
            .library, .invalidPath, subject: "path \"\(path)\"", reason: reason,
            advice: "Use a path relative to the folder of the library.")
    }

    static func taken(_ path: String) -> ObscuraError {
        ObscuraError(
            .library, .fileExists, subject: path, reason: "the library has a file of this name already",
            advice: "Choose another name.")
    }

    static func folderGone(_ path: String) -> ObscuraError {
        ObscuraError(
            .library, .notFound, subject: path, reason: "the folder of the library was moved or deleted",
            advice: "Restore the folder, or mount its disk.")
    }

    static func readOnly(_ path: String) -> ObscuraError {
        ObscuraError(
            .library, .notAuthorized, subject: path, reason: "this process has no permission to write to the library",
            advice: "Change the permissions of the folder.")
    }

    /// Converts a system error about a file of the library.
    init(_ error: SystemError, about path: String) {
        switch error.number {
        // A link, a socket and a folder are not items either.
        case ENOENT, ELOOP, ENXIO, ENODEV, ENOTDIR, EISDIR, ENAMETOOLONG, EILSEQ: self = .noSuchItem(path)
        default: self.init(error, writing: path, domain: .library)
        }
    }

    /// Runs `body`, and converts its errors to those of a file of the library.
    static func about<R>(_ path: String, _ body: () throws(SystemError) -> R) throws(ObscuraError) -> R {
        do {
            return try body()
        } catch {
            throw ObscuraError(error, about: path)
        }
    }
}
