// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraBase

extension ObscuraError {
    /// Converts a system error from creating or writing a file.
    package init(_ error: SystemError, writing path: String, domain: Domain = .files) {
        self.init(error, path, domain, else: .writingFailed, reason: error.reason) { number in
            switch number {
            case EEXIST: (.fileExists, "it exists already", .allowOverwriting)
            case ENOSPC, EDQUOT:
                (.diskFull, "the disk is full", .advice("Free disk space, or write to another disk."))
            case EPIPE: (.closedPipe, "the program that reads from the pipe has closed the pipe", nil)
            case EACCES, EPERM, EROFS:
                (
                    .notWritable, "this process has no permission to write there",
                    .advice("Choose a folder that you own, or change the permissions of the folder.")
                )
            case ENOENT, ENOTDIR:
                (.notWritable, "the enclosing folder does not exist", .advice("Create the folder first."))
            case EISDIR: (.notWritable, "it is a folder, not a file", nil)
            default: nil
            }
        }
    }

    /// Converts a system error from opening or reading a file.
    package init(_ error: SystemError, reading path: String, domain: Domain) {
        self.init(error, path, domain, else: .unreadable, reason: "it cannot be opened: \(error.reason)") { number in
            switch number {
            case ENOENT, ENOTDIR: (.notFound, "there is no such file", nil)
            case EACCES, EPERM:
                (
                    .notAuthorized, "this process has no permission to read it",
                    .advice("Ask its owner for read permission (chmod).")
                )
            default: nil
            }
        }
    }

    /// - Parameters:
    ///   - code: the code for numbers without a meaning of their own.
    ///   - special: returns the meaning of a number; nil if it is the same for reading and writing.
    private init(
        _ error: SystemError, _ path: String, _ domain: Domain, else code: Code, reason: String,
        _ special: (_ number: Int32) -> (code: Code, reason: String, remedy: Remedy?)?
    ) {
        let found =
            special(error.number)
            ?? (error.number == ENOMEM ? (.outOfMemory, "the system has no memory left", nil) : nil)
            ?? (code, reason, Remedy(error))
        self.init(
            domain, found.code, subject: path, reason: found.reason, remedy: found.remedy, errno: error.number)
    }

    /// Runs `body`, and converts its errors to those of a file that is created or written.
    package static func writing<R>(
        _ path: String, domain: Domain = .files, _ body: () throws(SystemError) -> R
    ) throws(ObscuraError) -> R {
        do {
            return try body()
        } catch {
            throw ObscuraError(error, writing: path, domain: domain)
        }
    }

    package static func fileExists(_ path: String, domain: Domain = .files) -> ObscuraError {
        ObscuraError(SystemError(EEXIST), writing: path, domain: domain)
    }

    package static func closed(_ path: String) -> ObscuraError {
        ObscuraError(.files, .closed, subject: path, reason: "the writer was closed and accepts no more frames")
    }
}

extension Remedy {
    /// Returns the remedy for a system error that means the same everywhere; nil for others.
    package init?(_ error: SystemError) {
        guard error.number == EMFILE || error.number == ENFILE else { return nil }
        self = .raiseLimit(.openFiles)
    }
}
