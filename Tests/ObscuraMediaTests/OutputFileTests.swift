// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraMedia

@Suite struct OutputFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// A pipe with a name, and the descriptor of its reader.
    private func makePipe(_ name: String) throws -> Int32 {
        try #require(mkfifo(folder(name), 0o600) == 0)
        let reader = open(folder(name), O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        return reader
    }

    private func read(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    @Test func `All missing folders are made, and those that are there are left alone`() throws {
        try OutputFile.makeFolder(folder("a/b/c"))
        #expect(folder.names(in: "a/b") == ["c"])
        _ = try folder.write("a/b/kept", "x")
        try OutputFile.makeFolder(folder("a/b/c"))
        try OutputFile.makeFolder(folder("a/b/d/e"))
        #expect(folder.names(in: "a/b") == ["c", "d", "kept"] && folder.names(in: "a/b/d") == ["e"])
        let error = #expect(throws: ObscuraError.self) { try OutputFile.makeFolder(folder("a/b/kept/e/f")) }
        #expect(error?.errno == ENOTDIR)
    }

    @Test func `A file or a folder has a name, a pipe and nothing have not`() throws {
        _ = try folder.write("file", "")
        let reader = try makePipe("pipe")
        defer { close(reader) }
        #expect(OutputFile.isFile(folder("file")) && OutputFile.isFile(folder.path))
        #expect(!OutputFile.isFile(folder("pipe")) && !OutputFile.isFile(folder("nothing")))
    }

    @Test func `A file that is there is emptied only if it may be overwritten`() throws {
        _ = try folder.write("file", "before")
        let error = #expect(throws: ObscuraError.self) { try OutputFile.create(folder("file"), overwrites: false) }
        #expect(error?.code == .fileExists)
        #expect(try folder.text(of: "file") == "before")
        try OutputFile.create(folder("file"), overwrites: true).write([1, 2])
        #expect(try folder.bytes(of: "file") == [1, 2])
        let file = try OutputFile.create(folder("new"), overwrites: false)
        try file.write([1, 2, 3, 4])
        file.truncate(to: 3)
        #expect(try folder.bytes(of: "new") == [1, 2, 3])
    }

    @Test(arguments: [false, true])
    func `A whole file takes its name at the end, and no draft is left`(isSynced: Bool) throws {
        try OutputFile.writeWhole(
            [1, 2, 3], to: folder("file"), overwrites: false, isSynced: isSynced)
        #expect(try folder.bytes(of: "file") == [1, 2, 3])
        let error = #expect(throws: ObscuraError.self) {
            try OutputFile.writeWhole([4], to: folder("file"), overwrites: false, isSynced: isSynced)
        }
        #expect(error?.code == .fileExists)
        #expect(try folder.bytes(of: "file") == [1, 2, 3])
        try OutputFile.writeWhole([5], to: folder("file"), overwrites: true, isSynced: isSynced)
        #expect(try folder.bytes(of: "file") == [5])
        #expect(folder.names() == ["file"])
    }

    @Test func `Names that another process has taken for its drafts are left alone`() throws {
        // As processes of other containers have the same number as this one.
        let names = (0...2000).map { ".obscura-\(getpid())-\($0).part" }
        for name in names { _ = try folder.write(name, "theirs") }
        for overwrites in [false, true] {
            try OutputFile.writeWhole([1], to: folder("file"), overwrites: overwrites)
            try OutputFile.writeWhole([2], to: folder("file"), overwrites: true)
            #expect(try folder.bytes(of: "file") == [2])
            unlink(folder("file"))
        }
        #expect(folder.names() == names.sorted())
        #expect(try names.allSatisfy { try folder.text(of: $0) == "theirs" })
    }

    @Test func `A pipe is written into and never replaced by a file`() throws {
        let reader = try makePipe("pipe")
        defer { close(reader) }
        try OutputFile.writeWhole([1, 2, 3], to: folder("pipe"), overwrites: true)
        #expect(read(reader) == [1, 2, 3] && isPipe(folder("pipe")))
        try OutputFile.create(folder("pipe"), overwrites: false).write([4])
        #expect(read(reader) == [4])
        #expect(throws: ObscuraError.self) {
            try OutputFile.writeWhole([5], to: folder("pipe"), overwrites: false)
        }
        #expect(read(reader).isEmpty && isPipe(folder("pipe")) && folder.names() == ["pipe"])
    }

    @Test func `What cannot be written is an error that names the file, and leaves no draft`() throws {
        let missing = #expect(throws: ObscuraError.self) {
            try OutputFile.writeWhole([1], to: folder("no/file"), overwrites: false)
        }
        #expect(missing?.subject == folder("no/file") && missing?.errno == ENOENT)
        _ = try folder.write("a", "")
        try OutputFile.makeFolder(folder("taken"))
        let taken = #expect(throws: ObscuraError.self) {
            try OutputFile.writeWhole([1], to: folder("taken"), overwrites: true)
        }
        #expect(taken?.errno == EISDIR && folder.names() == ["a", "taken"])
        #expect(throws: ObscuraError.self) {
            try OutputFile.create("/dev/full", overwrites: true).write([1])
        }
    }
}
