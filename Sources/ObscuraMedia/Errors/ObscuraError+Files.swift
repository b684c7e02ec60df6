// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

extension ObscuraError {
    /// Converts the system's error number from creating or writing a file.
    package init(system number: Int32, path: String, domain: Domain = .files) {
        func make(_ code: Code, _ reason: String, _ advice: String? = nil) -> ObscuraError {
            ObscuraError(domain, code, subject: path, reason: reason, advice: advice, errno: number)
        }
        self =
            switch number {
            case EEXIST: .fileExists(path, domain: domain)
            case ENOSPC, EDQUOT:
                make(
                    .diskFull, "the disk is full",
                    "Free disk space, or write to another disk; what was written before is complete.")
            case EPIPE: make(.closedPipe, "its reader has gone")
            case EACCES, EPERM, EROFS:
                make(
                    .notWritable, "this process has no permission to write there",
                    "Choose a folder that you own, or change its permissions.")
            case ENOENT, ENOTDIR: make(.notWritable, "there is no such folder", "Create the folder first.")
            case EISDIR: make(.notWritable, "it is a folder")
            case ENOMEM: .outOfMemory(domain, path)
            default: make(.writingFailed, SystemError(number).reason)
            }
    }

    /// Returns the error for a path that could not be opened for reading.
    package static func opening(_ path: String, errno: Int32) -> ObscuraError {
        switch errno {
        case ENOENT, ENOTDIR:
            ObscuraError(.movies, .notFound, subject: path, reason: "there is no such file", errno: errno)
        case EACCES, EPERM:
            ObscuraError(
                .movies, .notAuthorized, subject: path, reason: "the file's rights forbid reading it",
                advice: "Ask its owner for the right to read (chmod).", errno: errno)
        default:
            ObscuraError(
                .movies, .unreadable, subject: path, reason: "it cannot be opened: \(SystemError(errno).reason)",
                errno: errno)
        }
    }

    package static func fileExists(_ path: String, domain: Domain = .files) -> ObscuraError {
        ObscuraError(
            domain, .fileExists, subject: path, reason: "it exists already", remedy: .allowOverwriting, errno: EEXIST)
    }

    package static func closed(_ path: String) -> ObscuraError {
        ObscuraError(.files, .closed, subject: path, reason: "it was closed and accepts no more frames")
    }
}
