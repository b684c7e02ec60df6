// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import Testing

@testable import ObscuraStudio

@Suite struct PickerFolderTests {
    private let output = FileManager.default.temporaryDirectory.appending(path: "picked-\(UUID().uuidString)")

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    private func write(_ names: String..., in folder: String) throws {
        for name in names { try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    }

    @Test func `Files get unused names`() throws {
        let folder = try PickerFolder(output.path)
        try write("a.jpg", "a-edited.jpg", "b.png", in: folder.workspace)
        try write("a.jpg", "a-2.jpg", in: output.path)
        let paths = try folder.publish([("a-edited.jpg", "a.jpg"), ("b.png", "b.png")])
        #expect(paths == ["\(output.path)/a-3.jpg", "\(output.path)/b.png"])
        #expect(try String(contentsOfFile: paths[0], encoding: .utf8) == "a-edited.jpg")
        folder.withdraw()
        #expect(names == ["a-2.jpg", "a.jpg"])
        try write("late.jpg", in: folder.workspace)
        #expect(throws: ObscuraError.self) { try folder.publish([("late.jpg", "late.jpg")]) }
        folder.clean()
        #expect(!FileManager.default.fileExists(atPath: folder.workspace))
        try FileManager.default.removeItem(at: output)
    }

    @Test func `All files are published, or none`() throws {
        let folder = try PickerFolder(output.path)
        try write("a.jpg", "b.jpg", in: folder.workspace)
        #expect(throws: ObscuraError.self) {
            try folder.publish([("a.jpg", "a.jpg"), ("missing.jpg", "missing.jpg"), ("b.jpg", "b.jpg")])
        }
        #expect(names.isEmpty)
        #expect(try folder.publish([("a.jpg", "a.jpg"), ("b.jpg", "b.jpg")]).count == 2)
        folder.clean()
        #expect(names == ["a.jpg", "b.jpg"])
        try FileManager.default.removeItem(at: output)
    }

    @Test func `The workspace of a killed process is removed, and one in use is not`() throws {
        let other = try PickerFolder(output.path)
        let left = "\(output.path)/.obscura-picker-left"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        try write("photo.jpg", in: left)
        let folder = try PickerFolder(output.path)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: other.workspace))
        folder.clean()
        other.clean()
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }

    @Test func `A file in place of the folder is an error`() throws {
        try Data().write(to: output)
        #expect(throws: ObscuraError.self) { try PickerFolder(output.path) }
        try FileManager.default.removeItem(at: output)
    }
}
