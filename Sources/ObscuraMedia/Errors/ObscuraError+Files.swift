// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraBase

extension ObscuraError {
    /// A system error of a file that is created or written.
    package init(_ error: SystemError, writing path: String, domain: Domain = .files) {
        self.init(error, path, domain, else: .writingFailed, reason: error.reason) { number in
            switch number {
            case EEXIST: (.fileExists, "it exists already", .allowOverwriting)
            case ENOSPC, EDQUOT:
                (
                    .diskFull, "the disk is full",
                    .advice("Free disk space, or write to another disk; what was written before is complete.")
                )
            case EPIPE: (.closedPipe, "its reader has gone", nil)
            case EACCES, EPERM, EROFS:
                (
                    .notWritable, "this process has no permission to write there",
                    .advice("Choose a folder that you own, or change its permissions.")
                )
            case ENOENT, ENOTDIR:
                (.notWritable, "there is no such folder", .advice("Create the folder first."))
            case EISDIR: (.notWritable, "it is a folder", nil)
            default: nil
            }
        }
    }

    /// A system error of a file that is opened or read.
    package init(_ error: SystemError, reading path: String, domain: Domain) {
        self.init(error, path, domain, else: .unreadable, reason: "it cannot be opened: \(error.reason)") { number in
            switch number {
            case ENOENT, ENOTDIR: (.notFound, "there is no such file", nil)
            case EACCES, EPERM:
                (
                    .notAuthorized, "the file's rights forbid reading it",
                    .advice("Ask its owner for the right to read (chmod).")
                )
            default: nil
            }
        }
    }

    /// - Parameters:
    ///   - code: for numbers that mean nothing special.
    ///   - special: the meaning of a number; nil for those that mean the same for reading and writing.
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

    /// Runs `body`; its failures are those of a file that is created or written.
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
        ObscuraError(.files, .closed, subject: path, reason: "it was closed and accepts no more frames")
    }
}

extension Remedy {
    /// The remedy for a system error that means the same everywhere; nil for others.
    package init?(_ error: SystemError) {
        guard error.number == EMFILE || error.number == ENFILE else { return nil }
        self = .raiseLimit(.openFiles)
    }
}
