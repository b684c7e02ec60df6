// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase

/// The files of the machine, below a root that a test can replace.
///
/// Returns nil for everything that is missing, unreadable, or a circular link.
package struct FileTree: Sendable {
    /// The root without a trailing slash; empty for `/`.
    private let root: String

    package init(root: String = "/") {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    /// Whether the root is `/`.
    var isMachine: Bool { root.isEmpty }

    /// Returns the path outside the tree.
    func place(of path: String) -> String {
        root + path
    }

    /// Returns the first `limit` bytes of a file. Does not block on a pipe.
    func bytes(of path: String, limit: Int = 4096) -> [UInt8]? {
        try? FileDescriptor(opening: place(of: path), O_RDONLY | O_NONBLOCK).read(upTo: limit)
    }

    /// Returns the text of a small file, such as an attribute of sysfs, without white space at the ends. Replaces
    /// invalid UTF-8.
    func text(of path: String) -> String? {
        guard let bytes = bytes(of: path) else { return nil }
        let isSpace = { (byte: UInt8) in byte == 0 || byte == 32 || (9...13).contains(byte) }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes.prefix(end).drop(while: isSpace), as: UTF8.self)
    }

    /// Returns the names in a folder, unsorted.
    func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: place(of: folder))
    }

    /// Returns the target of a link, as written in it.
    func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place(of: path), &buffer, buffer.count)
        return count > 0 ? Self.text(buffer.prefix(count)) : nil
    }

    /// Returns the path with all links resolved; nil also for a target outside the tree.
    func resolved(_ path: String) -> String? {
        guard let real = Self.realPath(place(of: path)) else { return nil }
        if root.isEmpty { return real }
        guard let base = Self.realPath(root), real == base || real.hasPrefix(base + "/") else { return nil }
        return real == base ? "/" : String(real.dropFirst(base.count))
    }

    /// Returns the status of a file; follows links.
    func status(of path: String) -> stat? {
        var status = stat()
        return stat(place(of: path), &status) == 0 ? status : nil
    }

    private static func realPath(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard realpath(path, &buffer) != nil else { return nil }
        return text(buffer.prefix { $0 != 0 })
    }

    private static func text(_ characters: some Collection<CChar>) -> String {
        String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
