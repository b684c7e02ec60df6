// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension WritingError {
    /// What the system said when it was asked to make or write a file.
    package init(system number: Int32, path: String) {
        switch number {
        case EEXIST: self = .fileExists(path)
        case ENOSPC, EDQUOT:
            self.init(
                .noSpace, subject: path, reason: "the disk is full",
                advice: "Make room, or write somewhere else; what was written before is whole.",
                errno: number)
        case EPIPE:
            self.init(.closedPipe, subject: path, reason: "its reader has gone", errno: number)
        case EACCES, EPERM, EROFS:
            self.init(
                .notWritable, subject: path, reason: "this process may not write there",
                advice: "Give a folder that is yours, or change its rights.", errno: number)
        default:
            self.init(
                .notWritable, subject: path, reason: String(cString: strerror(number)).lowercased(),
                errno: number)
        }
    }
}
