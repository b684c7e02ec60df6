// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraLibrary

/// A process that is killed in the middle of a change, and two processes at once.
@Suite struct LibraryCrashTests {
    private static let count = isLongForm ? 50 : 6

    @Test(.hangLimit, arguments: ["import", "move", "edit", "trash"]) func nothingIsLostByAKilledProcess(
        operation: String
    ) async throws {
        let fixture = try LibraryFixture()
        let photos = 24
        for number in 0..<photos { try fixture.photo("source/\(number).jpg", gray: UInt8(number)) }
        let library = try await fixture.open()
        if operation != "import" {
            #expect(try await library.importFiles([fixture.source]).imported.count == photos)
        }
        for round in 0..<Self.count {
            let tool = try BackgroundTool(
                Tool.product("TestLibrarian"), [operation, fixture.path, fixture.folder("cache"), fixture.source])
            // From the start of the process until well after its first changes.
            let moment = HostTime.now + .milliseconds(15 + (round * 7919) % 120)
            _ = await becomes { HostTime.now >= moment }
            tool.stop()
            let report = try await library.refresh()
            #expect(report.problems.isEmpty)
            let verified = try await library.verify()
            #expect(verified.problems.isEmpty, "round \(round)")
            let before = library.index
            let dump = try before.dump()
            try await library.rebuildIndex()
            #expect(try library.index.dump() == dump)
            if operation != "import" {
                #expect(verified.itemCount + verified.trashCount == photos, "round \(round)")
            }
            #expect(try await library.duplicates().isEmpty, "round \(round)")
            for item in try await library.trashedItems() { try await library.restore(item.id) }
        }
        if operation == "import" { try await library.importFiles([fixture.source]) }
        #expect(try await library.count() == photos)
        #expect(try await library.duplicates().isEmpty)
        // No temporary file is left, and no part of an item in the trash.
        try await library.emptyTrash()
        #expect(fixture.folder.names(in: "library/.obscura/trash").isEmpty)
        #expect(fixture.files().allSatisfy { $0.hasSuffix(".jpg") || $0.hasSuffix(".json") })
    }

    @Test(.hangLimit) func twoProcessesUseOneLibrary() async throws {
        let fixture = try LibraryFixture()
        for number in 0..<12 { try fixture.photo("library/\(number).jpg", gray: UInt8(number)) }
        let library = try await fixture.open()
        try await library.refresh()
        let tools = try ["move", "edit", "trash"].map {
            try BackgroundTool(Tool.product("TestLibrarian"), [$0, fixture.path, fixture.folder("cache")])
        }
        // Other processes change the same items at the same time; each change either happens or fails.
        for _ in 0..<60 {
            try await library.refresh()
            for item in try await library.items().items.prefix(3) {
                let failure = await code { try await library.setFavorite(!item.isFavorite, for: [item.path]) }
                #expect(failure == nil || failure == .notFound)
            }
        }
        for tool in tools { tool.stop() }
        for item in try await library.trashedItems() { try await library.restore(item.id) }
        try await library.refresh()
        #expect(try await library.count() == 12)
        #expect(try await library.duplicates().isEmpty)
        #expect(try await library.verify().problems.isEmpty)
    }
}
