// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import Glibc
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The path of an item as users write it.
enum ItemPath {
    /// Returns the path relative to the folder of the library: for a path in that form, for an absolute one, and for one
    /// relative to the current folder, such as the shell completes it.
    static func resolve(_ text: String, in library: MediaLibrary) -> String {
        var path = text
        while path.hasPrefix("./") { path.removeFirst(2) }
        if !path.hasPrefix("/"), FileStatus.exists("\(library.path)/\(path)") { return path }
        let parts = PathParts(path)
        guard FileStatus.exists(path), let folder = try? OpenFolder(path: parts.folder).path else { return path }
        let root = library.path.hasSuffix("/") ? library.path : library.path + "/"
        if folder == library.path { return parts.name }
        return folder.hasPrefix(root) ? "\(folder.dropFirst(root.count))/\(parts.name)" : path
    }
}

extension MediaLibrary {
    func resolve(_ paths: [String]) -> [String] { paths.map { ItemPath.resolve($0, in: self) } }
}

#endif
