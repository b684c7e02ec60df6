// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The identity of the file at a path, independent of its name: links to one file have the same identity.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Returns nil if the file does not exist.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
