// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct StudioRulesTests {
    private static let wide = PixelSize(width: 400, height: 100)

    @Test func `A new photo is cropped to the first ratio, after its own edits`() throws {
        var rules = StudioRules()
        rules.ratios = try [AspectRatio(width: 4, height: 3), AspectRatio(width: 1, height: 1)]
        #expect(rules.prepared(StillRecipe(), for: PixelSize(width: 640, height: 480)).edits.isEmpty)
        #expect(rules.prepared(StillRecipe(), for: PixelSize(width: 500, height: 500)).edits.isEmpty)
        let turned = rules.prepared(StillRecipe([.rotate(.right)]), for: Self.wide)
        #expect(turned.edits.count == 2 && turned.edits.first == .rotate(.right))
        #expect(turned.size(of: Self.wide) == PixelSize(width: 100, height: 75))
        rules.enhancesPhotos = true
        #expect(rules.prepared(StillRecipe(), for: PixelSize(width: 4, height: 3)).edits == [.autoEnhance])
        #expect(
            rules.prepared(StillRecipe([.autoEnhance]), for: PixelSize(width: 4, height: 3)).edits == [.autoEnhance])
    }

    @Test func `Edits that are not allowed are rejected`() throws {
        var rules = StudioRules()
        rules.allowsRotation = false
        let old = StillRecipe([.rotate(.left)])
        try rules.check(StillRecipe([.rotate(.left), .autoEnhance]), insteadOf: old, of: "photo")
        // The same effect in other steps.
        let several = StillRecipe([.mirror, .rotate(.right), .rotate(.down), .rotate(.down)])
        try rules.check(StillRecipe([.rotate(.left), .mirror]), insteadOf: several, of: "photo")
        #expect(throws: ObscuraError.self) { try rules.check(StillRecipe(), insteadOf: old, of: "photo") }
        #expect(throws: ObscuraError.self) { try rules.check(StillRecipe([.mirror]), insteadOf: nil, of: "photo") }
        rules.allowsEditing = false
        #expect(throws: ObscuraError.self) { try rules.check(StillRecipe(), insteadOf: nil, of: "photo") }
    }

    @Test func `Room is reserved while a change is in progress`() async throws {
        let changes = RibbonChanges()
        func check(_ reserved: Int) throws(ObscuraError) {
            var rules = StudioRules()
            rules.mostItems = 3
            try rules.checkRoom(for: 2, beside: reserved)
        }
        try changes.begin(adding: 2, check)
        #expect(throws: ObscuraError.self) { try changes.begin(adding: 2, check) }
        #expect(throws: ObscuraError.self) { try changes.close() }
        changes.end(adding: 2)
        try changes.begin(adding: 2, check)
        changes.end(adding: 2)
        try changes.close()
        #expect(throws: ObscuraError.self) { try changes.begin(adding: 0) { _ in } }
        #expect(throws: ObscuraError.self) { try changes.close() }
        changes.reopen()
        try changes.begin(adding: 0) { _ in }
    }

    @Test func `A number of photos that no integer holds twice is an error`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        test.studio.recentMedia.append("photo.jpg")
        for count in [Int.max, .min, 0] {
            let error = await #expect(throws: ObscuraError.self) {
                try await test.studio.takePhotos(PhotosRequest(count: count), with: camera, pressedAt: .now)
            }
            #expect(error?.code == .invalidRequest)
        }
        await test.studio.close()
    }
}
