// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The kind of sandbox in which a process runs.
package enum CameraSandbox: Sendable, Hashable {
    /// No sandbox that the desktop portal knows. A container is none either.
    case none
    case flatpak
    case snap

    /// The sandbox of this process. It cannot change while the process runs.
    package static let current = CameraSandbox()

    package var isSandboxed: Bool { self != .none }

    /// - Parameters:
    ///   - files: the files of the process's root.
    ///   - snap: the value of the environment variable `SNAP`, the folder of the snap; nil outside a snap.
    init(files: FileTree = FileTree(), snap: String? = getenv("SNAP").map { String(cString: $0) }) {
        if files.status(of: "/.flatpak-info") != nil {
            self = .flatpak
        } else if let snap, !snap.isEmpty {
            self = .snap
        } else {
            self = .none
        }
    }
}
