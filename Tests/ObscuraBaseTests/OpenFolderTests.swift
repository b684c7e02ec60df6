// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraBase

@Suite(.hangLimit) struct OpenFolderTests {
    private let folder: TemporaryFolder
    private let open: OpenFolder

    init() throws {
        folder = try TemporaryFolder()
        open = try OpenFolder(path: folder.path)
    }

    private func isEmpty(_ file: FileDescriptor) -> Bool { (try? FileStatus(of: file))?.size == 0 }

    /// Whether a locked file could be created in place of this name.
    private func isCreated(_ name: String, _ isLeftover: (FileDescriptor) -> Bool) -> Bool {
        let can = open.canCreateLocked(name, replacing: isLeftover)
        do {
            _ = try open.createLocked(name, replacing: isLeftover)
            #expect(can)
            return true
        } catch {
            #expect(error.number == EEXIST && !can)
            return false
        }
    }

    @Test func `A listing has all names but those of the folder itself and its parent`() throws {
        for name in ["a", ".b", "..c", "d.mp4"] { _ = try folder.write(name, "") }
        mkdir(folder("e"), 0o700)
        let listing = try open.listing()
        #expect(listing.names.sorted() == ["..c", ".b", "a", "d.mp4", "e"] && listing.invalidNames.isEmpty)
    }

    @Test func `Missing folders are created, also with a combining character after a slash`() throws {
        for path in ["a//b/c/", "d/\u{301}e/f"] {
            try OpenFolder.make(folder(path))
            #expect(try FileStatus(path: folder(path)).kind == .folder)
        }
    }

    @Test func `A new file is locked as long as it is open`() throws {
        var file: FileDescriptor? = try open.createLocked("a")
        #expect(!isCreated("a", isEmpty) && !isCreated("a") { _ in true })
        withExtendedLifetime(file) {}
        file = nil
        #expect(isCreated("a", isEmpty))
    }

    @Test func `A file that can only be locked if it is open for writing is opened again`() throws {
        let path = folder("a")
        _ = try folder.write("a", "text")
        // A descriptor with O_PATH cannot be locked, like one that only reads on NFS.
        var locked: FileDescriptor? = try FileDescriptor(opening: path, 0o10_000_000).locked()
        let error = #expect(throws: SystemError.self) { _ = try FileDescriptor(opening: path, O_RDONLY).locked() }
        #expect(error?.number == EWOULDBLOCK)
        #expect(try locked?.read(upTo: 10) == Array("text".utf8))
        locked = nil
        try FileDescriptor(opening: path, O_RDONLY).lock()
    }

    @Test func `A leftover of a killed process is replaced, and every other file is left alone`() throws {
        _ = try folder.write("empty", "")
        _ = try folder.write("text", "another user's text")
        #expect(isCreated("empty", isEmpty) && !isCreated("text", isEmpty))
        #expect(try folder.text(of: "text") == "another user's text")
        #expect(isCreated("text") { _ in true })
        #expect(try folder.bytes(of: "text").isEmpty)
    }

    @Test func `A leftover with a second name loses this name alone`() throws {
        _ = try folder.write("keep", "another user's movie")
        link(folder("keep"), folder("draft"))
        #expect(isCreated("draft") { _ in true })
        #expect(try folder.text(of: "keep") == "another user's movie")
    }

    @Test func `A link, a folder and a pipe are no leftovers`() throws {
        let target = try folder.write("target", "")
        symlink(target, folder("link"))
        symlink(folder("nowhere"), folder("broken"))
        mkdir(folder("folder"), 0o700)
        mkfifo(folder("pipe"), 0o600)
        for name in ["link", "broken", "folder", "pipe"] { #expect(!isCreated(name) { _ in true }, "\(name)") }
        #expect(folder.names() == ["broken", "folder", "link", "pipe", "target"])
    }

    @Test func `A file is renamed over another one only if it may be`() throws {
        _ = try folder.write("a", "a")
        _ = try folder.write("b", "b")
        let error = #expect(throws: SystemError.self) { try open.rename("a", to: "b", overwrites: false) }
        #expect(error?.number == EEXIST && folder.names() == ["a", "b"])
        try open.rename("a", to: "c", overwrites: false, isSynced: true)
        #expect(try folder.names() == ["b", "c"] && folder.text(of: "c") == "a")
        try open.rename("c", to: "b", overwrites: true)
        #expect(try folder.names() == ["b"] && folder.text(of: "b") == "a")
        #expect(throws: SystemError.self) { try open.rename("c", to: "d", overwrites: false) }
    }

    @Test func `A folder is known by its file, and not by its path`() throws {
        #expect(open.isAtItsPath && !open.isDeleted)
        let moved = folder.path + "-moved"
        #expect(Glibc.rename(folder.path, moved) == 0)
        #expect(!open.isAtItsPath && !open.isDeleted)
        try open.write([1], to: "file", overwrites: false)
        #expect(open.isTaken("file"))
        try open.remove("file")
        #expect(rmdir(moved) == 0 && open.isDeleted)
    }

    @Test(arguments: [
        ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("a/b/", "a/b", ""), ("/a//b", "/a", "b"), ("", ".", ""),
    ])
    func `A path has a folder and a name`(path: String, folder: String, name: String) {
        #expect(PathParts(path).folder == folder && PathParts(path).name == name)
    }

    @Test func `The free space is that of the closest existing folder`() throws {
        let free = try #require(DiskSpace.available(on: open.file))
        let below = try #require(DiskSpace.available(at: folder("no/such/folder")))
        #expect(free > 0 && abs(free - below) < 8 << 30)
        #expect(DiskSpace.available(at: try folder.write("file", "") + "/below") == nil)
    }

    @Test func `Reading ends at the limit, and at the end of the file`() throws {
        let path = try folder.write("file", String(repeating: "x", count: 100_000))
        let file = try FileDescriptor(opening: path, O_RDONLY)
        #expect(try file.read(upTo: 70_000).count == 70_000)
        #expect(try file.read(upTo: 70_000).count == 30_000)
        #expect(try file.read(upTo: 70_000).isEmpty && file.read(at: 99_999, count: 5).count == 1)
        #expect(try file.read(at: 0, count: 100_000).count == 100_000 && file.read(at: 100_000, count: 5).isEmpty)
        let wrong = try FileDescriptor(opening: "file", in: open.file, O_WRONLY)
        #expect(throws: SystemError.self) { try wrong.read(upTo: 1) }
        #expect(file.isFile(at: "file", in: open.file) && !file.isFile(at: folder.path))
    }
}
