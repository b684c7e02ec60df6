// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The error of a failed system call, without a subject and a remedy.
package struct SystemError: Error, Sendable, Hashable {
    /// The error number, as in errno(3).
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of the last system call on this thread.
    package static var last: SystemError { SystemError(errno) }

    /// The system's description, such as "no such file or directory".
    package var reason: String { String(cString: strerror(number)).lowercased() }
}
