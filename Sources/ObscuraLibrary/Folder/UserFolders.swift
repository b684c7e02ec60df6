// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation

/// The user's folders (XDG Base Directory Specification).
enum UserFolders {
    /// `$XDG_CACHE_HOME` or `~/.cache`; nil if neither is known.
    static var cache: String? { absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" } }

    /// The folder of the library's indexes, relative to ``cache``.
    static let indexes = "obscura/library"

    /// The user's folder for pictures, as in `~/.config/user-dirs.dirs`, or `~/Pictures`.
    static var pictures: String {
        let manager = FileManager.default
        // Foundation reads the user database; a HOME variable overrides it.
        if let home = absolute("HOME"), home != manager.homeDirectoryForCurrentUser.path { return home + "/Pictures" }
        return manager.urls(for: .picturesDirectory, in: .userDomainMask).first?.path
            ?? manager.homeDirectoryForCurrentUser.path + "/Pictures"
    }

    /// The value of a variable that is an absolute path; nil for others, as the specification requires.
    private static func absolute(_ variable: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[variable] else { return nil }
        return value.hasPrefix("/") ? value : nil
    }
}
