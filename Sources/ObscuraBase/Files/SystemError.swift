// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A failed call of the operating system. `ObscuraError` adds the subject and the remedy.
package struct SystemError: Error, Sendable, Hashable {
    /// As in errno(3).
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of the last call of this thread.
    package static var last: SystemError { SystemError(errno) }

    /// In the system's words, such as "no such file or directory".
    package var reason: String { String(cString: strerror(number)).lowercased() }
}
