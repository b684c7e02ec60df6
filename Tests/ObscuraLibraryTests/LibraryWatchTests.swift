// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraLibrary
import ObscuraMedia
import TestSupport
import Testing

/// A library that is watched while other programs change its folder.
@Suite(.hangLimit) struct LibraryWatchTests {
    @Test func changesOfOtherProgramsAppear() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/a/1.jpg", gray: 1)
        let library = try await fixture.open()
        let reports = Lock([RefreshReport]())
        let watch = Task {
            try await library.watch { report in reports.withLock { $0.append(report) } }
        }
        #expect(await becomes { reports.withLock { $0.count } == 1 })
        var updates = library.updates().makeAsyncIterator()
        func nextPaths() async throws -> Set<String> { Set(try await updates.next()?.items.map(\.path) ?? []) }
        #expect(try await nextPaths() == ["a/1.jpg"])
        // A new file, in a folder that is new as well, and one in that.
        try fixture.photo("library/b/c/2.jpg", gray: 2)
        var paths = try await nextPaths()
        #expect(paths == ["a/1.jpg", "b/c/2.jpg"])
        try fixture.photo("library/b/c/3.jpg", gray: 3)
        paths = try await nextPaths()
        #expect(paths.contains("b/c/3.jpg"))
        // A folder that is moved.
        try FileManager.default.moveItem(atPath: fixture.path + "/b", toPath: fixture.path + "/d")
        while !paths.contains("d/c/2.jpg") || paths.contains("b/c/2.jpg") { paths = try await nextPaths() }
        try fixture.photo("library/d/c/4.jpg", gray: 4)
        paths = try await nextPaths()
        #expect(paths == ["a/1.jpg", "d/c/2.jpg", "d/c/3.jpg", "d/c/4.jpg"])
        try FileManager.default.removeItem(atPath: fixture.path + "/d/c/4.jpg")
        paths = try await nextPaths()
        #expect(paths.count == 3)
        // Another process, which updates the index itself.
        let other = try await fixture.open()
        try await other.setFavorite(true, for: ["a/1.jpg"])
        let page = try await updates.next()
        #expect(page?.items.contains { $0.isFavorite } == true)
        let album = try await other.createAlbum(named: "New")
        #expect(try await library.albums().map(\.album.id) == [album.id])
        watch.cancel()
        try await watch.value
    }

    @Test func aWatchEndsWithItsFolder() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        let isReady = Lock(false)
        let watch = Task { try await library.watch { _ in isReady.withLock { $0 = true } } }
        #expect(await becomes { isReady.withLock(\.self) })
        try FileManager.default.removeItem(atPath: fixture.path)
        #expect(await code { try await watch.value } == .notFound)
    }
}
