// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension ObscuraError {
    static func invalidName(_ name: String, _ reason: String) -> ObscuraError {
        // Names from pages may be long, and may contain control characters.
        let shown = name.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "?" : String($0) }
        return ObscuraError(
            .studio, .invalidName, subject: "name \"\(shown.joined())\"", reason: reason,
            advice: "Use a name from the library.")
    }

    static func noSuchItem(_ name: String) -> ObscuraError {
        ObscuraError(
            .studio, .noSuchItem, subject: name, reason: "there is no such photo or movie",
            advice: "Reload the library; the file may have been deleted or renamed.")
    }

    static func folderGone(_ path: String) -> ObscuraError {
        ObscuraError(
            .studio, .unusableFolder, subject: path, reason: "the folder was moved or deleted",
            advice: "Restore the folder, or restart the Studio, which creates the folder again.")
    }

    static func diskFull(_ subject: String) -> ObscuraError {
        ObscuraError(
            .studio, .diskFull, subject: subject, reason: "the disk is full or almost full",
            advice: "Empty the trash, delete files, or start the Studio with a folder on another disk.")
    }

    /// Converts an error of the system about a file in the folder.
    init(_ error: SystemError, _ subject: String) {
        switch error.number {
        // A link, socket or folder is not a photo either.
        case ENOENT, ELOOP, ENXIO, ENODEV, ENOTDIR, EISDIR, ENAMETOOLONG, EILSEQ, EINVAL: self = .noSuchItem(subject)
        case EMFILE, ENFILE:
            self.init(.studio, .tooMuch, subject: subject, reason: "too many files are open", remedy: Remedy(error))
        default: self.init(ObscuraError(error, writing: subject), about: subject)
        }
    }

    /// Converts any error about a file, with `subject`, its name for users.
    init(_ error: any Error, about subject: String) {
        switch error {
        case let error as ObscuraError where error.domain == .studio: self = error
        case let error as ObscuraError where error.domain == .library && error.code == .notFound:
            self = .noSuchItem(subject)
        case let error as ObscuraError where error.domain == .library && error.code == .tooLarge:
            self.init(.studio, .tooMuch, subject: subject, reason: error.reason, remedy: error.remedy)
        case let error as ObscuraError
        where error.domain == .library && (error.code == .timedOut || error.code == .notAuthorized):
            self.init(.studio, error.code, subject: subject, reason: error.reason, remedy: error.remedy)
        case let error as ObscuraError where error.domain == .library && error.code == .invalidRequest:
            self.init(.studio, .invalidRequest, subject: error.subject, reason: error.reason, remedy: error.remedy)
        case let error as ObscuraError where error.code == .diskFull: self = .diskFull(subject)
        case let error as ObscuraError where error.code == .notWritable:
            self.init(
                .studio, .unusableFolder, subject: subject, reason: error.reason,
                advice: "Change the permissions of the library folder, or start the Studio with another folder.")
        case let error as ObscuraError:
            self.init(.studio, .failed, subject: subject, reason: error.reason, remedy: error.remedy)
        default: self.init(.studio, .failed, subject: subject, reason: "\(error)")
        }
    }
}
