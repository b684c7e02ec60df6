// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// A name that exists is a whole photo.
@Suite(.hangLimit) struct PhotoFileTests {
    private func photo(_ size: PixelSize = PixelSize(width: 64, height: 48)) throws -> Photo {
        let picture = try PatternScene(size: size).draw(sequence: 1, time: .zero)
        return Photo(
            data: try StillEncoder(.jpeg()).encode(picture, StillProperties()), format: .jpeg(), size: size,
            metadata: Metadata(), presentationTime: .zero, hostTime: .now, sequence: 1, frame: nil)
    }

    private func inFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "obscura-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    private func code(_ body: () async throws -> Void) async -> ObscuraError.Code? {
        do { try await body() } catch { return (error as? ObscuraError)?.code }
        return nil
    }

    @Test func `a photo is written whole, into folders that are made, and nothing else is left`() async throws {
        try await inFolder { folder in
            let photo = try photo()
            try await photo.write(to: folder + "/a/b/photo.jpg")
            #expect(FileManager.default.contents(atPath: folder + "/a/b/photo.jpg") == Data(photo.data))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b") == ["photo.jpg"])
        }
    }

    @Test func `a file that is there is replaced only when asked`() async throws {
        try await inFolder { folder in
            let path = folder + "/photo.jpg"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            let photo = try photo()
            #expect(await code { try await photo.write(to: path) } == .fileExists)
            #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
            try await photo.write(to: path, overwrites: true)
            #expect(FileManager.default.contents(atPath: path) == Data(photo.data))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["photo.jpg"])
        }
    }

    @Test func `names that are none are errors`() async throws {
        let photo = try photo()
        for path in ["", "folder/", "a\0b"] {
            #expect(await code { try await photo.write(to: path) } == .invalidPath)
        }
        try await inFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            #expect(await code { try await photo.write(to: folder + "/file/photo.jpg") } == .notWritable)
            #expect(await code { try await photo.write(to: folder) } != nil)
        }
    }

    @Test(.enabled("needs to be root, to mount a small disk") { geteuid() == 0 && canMount() })
    func `a full disk is an error, and leaves no half file`() async throws {
        try await inFolder { folder in
            try Tool.run("mount", ["-t", "tmpfs", "-o", "size=32k", "tmpfs", folder])
            defer { _ = try? Tool.run("umount", ["-l", folder]) }
            let photo = try photo(PixelSize(width: 1280, height: 720))
            #expect(photo.data.count > 32 << 10)
            let small = try self.photo()
            try await small.write(to: folder + "/small.jpg")
            #expect(await code { try await photo.write(to: folder + "/large.jpg") } == .diskFull)
            #expect(await code { try await photo.write(to: folder + "/small.jpg", overwrites: true) } == .diskFull)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["small.jpg"])
            #expect(FileManager.default.contents(atPath: folder + "/small.jpg") == Data(small.data))
        }
    }

    /// A container may forbid it to root.
    private static func canMount() -> Bool {
        let folder = FileManager.default.temporaryDirectory.appending(path: "obscura-\(UUID().uuidString)").path
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else {
            return false
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard (try? Tool.run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder])) != nil else { return false }
        return (try? Tool.run("umount", [folder])) != nil
    }
}
