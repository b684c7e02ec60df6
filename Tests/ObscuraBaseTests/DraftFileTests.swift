// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraBase

@Suite struct DraftFileTests {
    private let folder: TemporaryFolder
    private let open: OpenFolder

    init() throws {
        folder = try TemporaryFolder()
        open = try OpenFolder(path: folder.path)
    }

    @Test(arguments: [false, true], [false, true])
    func `A draft becomes the file, with a hidden name before or without`(isNameless: Bool, overwrites: Bool) throws {
        if overwrites { _ = try folder.write("file", "before") }
        do {
            let draft = try DraftFile(in: open, isNameless: isNameless)
            try draft.file.write([1, 2])
            let names = folder.names().filter { $0 != "file" }
            #expect(names.count == (isNameless ? 0 : 1) && names.allSatisfy(DraftFile.isDraft))
            try draft.take("file", overwrites: overwrites, isSynced: true)
            draft.discard()
        }
        #expect(folder.names() == ["file"])
        #expect(try folder.bytes(of: "file") == [1, 2])
        let error = #expect(throws: SystemError.self) {
            try DraftFile(in: open, isNameless: isNameless).take("file", overwrites: false)
        }
        #expect(error?.number == EEXIST && folder.names() == ["file"])
    }

    @Test func `A refused name leaves the draft as it is, and a link counts as a file`() throws {
        _ = try folder.write("file", "before")
        symlink("nowhere", folder("link"))
        let draft = try DraftFile(in: open, isNameless: false)
        try draft.file.write([1])
        for name in ["file", "link"] {
            let error = #expect(throws: SystemError.self) { try draft.take(name, overwrites: false) }
            #expect(error?.number == EEXIST)
        }
        try draft.take("new", overwrites: false)
        #expect(folder.names() == ["file", "link", "new"])
        #expect(try folder.text(of: "file") == "before" && folder.bytes(of: "new") == [1])
    }

    @Test func `A draft with a name is locked, so that no process takes it for a leftover`() throws {
        let draft = try DraftFile(in: open, isNameless: false)
        let name = try #require(folder.names().first)
        #expect(!open.removeLeftover(name) && folder.names() == [name])
        draft.discard()
        #expect(folder.names().isEmpty)
        _ = try folder.write(name, "left")
        #expect(open.removeLeftover(name) && folder.names().isEmpty)
        // The name belongs to another file now.
        _ = try folder.write(name, "theirs")
        draft.discard()
        #expect(folder.names() == [name])
    }

    @Test(arguments: [false, true]) func `A file that has got its name is not locked any more`(isNameless: Bool) throws
    {
        let draft = try DraftFile(in: open, isNameless: isNameless)
        try draft.take("done", overwrites: false)
        try open.openForReading("done").lock()
        withExtendedLifetime(draft) {}
    }

    @Test func `A draft can be read before it has its name`() throws {
        let draft = try DraftFile(in: open, isNameless: true)
        try draft.file.write([1, 2, 3])
        let file = try draft.open(as: "x")
        #expect(file.name == "x" && file.status.size == 3)
        #expect(try file.read(at: 1, count: 9) == [2, 3])
    }

    @Test func `A replaced file keeps its permissions, and a new one gets those that it should have`() throws {
        try open.write([1], to: "file", overwrites: true, permissions: 0o600)
        #expect(open.status(of: "file")?.permissions == 0o600)
        #expect(chmod(folder("file"), 0o640) == 0)
        try open.write([2], to: "file", overwrites: true, isSynced: true, permissions: 0o600)
        #expect(open.status(of: "file")?.permissions == 0o640)
        #expect(try folder.bytes(of: "file") == [2] && folder.names() == ["file"])
    }

    @Test func `A link is replaced, and its target is left alone`() throws {
        _ = try folder.write("target", "before")
        symlink("target", folder("link"))
        try open.write([1], to: "link", overwrites: true)
        #expect(try folder.text(of: "target") == "before" && folder.bytes(of: "link") == [1])
        #expect(open.status(of: "link")?.kind == .regular)
    }
}
