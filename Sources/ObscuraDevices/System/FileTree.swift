// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase

/// The files of the machine, seen from a root that a test can replace.
///
/// Reads what is there, and answers nil to whatever is not, cannot be read, or leads in a circle.
package struct FileTree: Sendable {
    /// Without a slash at its end; empty for the machine's own root.
    private let root: String

    package init(root: String = "/") {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    /// Whether these are the machine's own files.
    var isMachine: Bool { root.isEmpty }

    /// Where a path of the tree really lies.
    func place(of path: String) -> String {
        root + path
    }

    /// The beginning of a file: at most `limit` bytes. A pipe is not waited for.
    func bytes(of path: String, limit: Int = 4096) -> [UInt8]? {
        try? FileDescriptor(opening: place(of: path), O_RDONLY | O_NONBLOCK).read(upTo: limit)
    }

    /// The text of a small file, such as an attribute of sysfs, without the white space at its ends. Bytes
    /// that are no UTF-8 are replaced.
    func text(of path: String) -> String? {
        guard let bytes = bytes(of: path) else { return nil }
        let isSpace = { (byte: UInt8) in byte == 0 || byte == 32 || (9...13).contains(byte) }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes.prefix(end).drop(while: isSpace), as: UTF8.self)
    }

    /// The names in a folder, in no order; nil if it cannot be read.
    func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: place(of: folder))
    }

    /// What a link says, followed or not.
    func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place(of: path), &buffer, buffer.count)
        return count > 0 ? Self.text(buffer.prefix(count)) : nil
    }

    /// The path without links; nil if it leads to nothing, in a circle, or out of the tree.
    func resolved(_ path: String) -> String? {
        guard let real = Self.realPath(place(of: path)) else { return nil }
        if root.isEmpty { return real }
        guard let base = Self.realPath(root), real == base || real.hasPrefix(base + "/") else { return nil }
        return real == base ? "/" : String(real.dropFirst(base.count))
    }

    /// What kind of file it is, and whose; links are followed.
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
