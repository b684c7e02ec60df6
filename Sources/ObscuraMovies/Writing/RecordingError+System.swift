// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

extension RecordingError {
    /// What the system said when it was asked to make or write a file.
    init(system number: Int32, path: String) {
        switch number {
        case EEXIST: self = .fileExists(path)
        case ENOSPC, EDQUOT:
            self.init(
                .diskFull, subject: path, reason: "the disk is full",
                advice: "Make room, or write somewhere else; what came before is kept.", errno: number)
        case EACCES, EPERM, EROFS:
            self.init(
                .notWritable, subject: path, reason: "this process may not write there",
                advice: "Give a folder that is yours, or change its rights.", errno: number)
        case ENOENT, ENOTDIR:
            self.init(
                .notWritable, subject: path, reason: "there is no such folder", advice: "Make the folder first.",
                errno: number)
        case EISDIR:
            self.init(.notWritable, subject: path, reason: "it is a folder", errno: number)
        case ENOMEM: self = .outOfMemory(path)
        default:
            self.init(
                .writingFailed, subject: path, reason: String(cString: strerror(number)).lowercased(), errno: number)
        }
    }

    /// - Parameter option: of the API that was called, by which the file may be replaced.
    static func fileExists(_ path: String, option: String = "AssetWriter.Options.overwrites") -> RecordingError {
        RecordingError(
            .fileExists, subject: path, reason: "it is there already",
            advice: "Give another name, or allow replacing it (\(option)).", errno: EEXIST)
    }

    static func noFile(_ path: String) -> RecordingError {
        RecordingError(.notRecoverable, subject: path, reason: "there is no such file", errno: ENOENT)
    }

    static func nothingRecorded(_ path: String) -> RecordingError {
        RecordingError(.notRecoverable, subject: path, reason: "nothing was recorded in it", advice: "Delete it.")
    }

    static func tooSmallLimit(_ path: String, _ limit: Int64, needed: Int64) -> RecordingError {
        .invalidSettings(
            path, "its limit of \(limit) bytes has no room for the first picture or sound",
            "Allow \(needed) bytes at least.")
    }

    static func outOfMemory(_ subject: String) -> RecordingError {
        RecordingError(.outOfMemory, subject: subject, reason: "the system has no memory left", errno: ENOMEM)
    }

    static func invalidSettings(_ subject: String, _ reason: String, _ advice: String? = nil) -> RecordingError {
        RecordingError(.invalidSettings, subject: subject, reason: reason, advice: advice)
    }
}
