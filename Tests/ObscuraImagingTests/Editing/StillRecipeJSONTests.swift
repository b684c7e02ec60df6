// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Testing

@testable import ObscuraImaging

/// The form in which recipes are stored and sent.
@Suite struct StillRecipeJSONTests {
    private static let part = UnitRect(x: 0.125, y: 0.25, width: 0.5, height: 0.25)

    @Test(
        arguments: [
            (.crop(part), #"{"height":0.25,"kind":"crop","width":0.5,"x":0.125,"y":0.25}"#),
            (.rotate(.left), #"{"kind":"rotate","turn":"left"}"#), (.mirror, #"{"kind":"mirror"}"#),
            (.straighten(degrees: -2.5), #"{"degrees":-2.5,"kind":"straighten"}"#),
            (.redEye([part]), #"{"kind":"redEye","parts":[{"height":0.25,"width":0.5,"x":0.125,"y":0.25}]}"#),
            (.autoEnhance, #"{"kind":"enhance"}"#),
        ] as [(StillEdit, String)])
    func `each kind of edit has its form`(edit: StillEdit, json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(StillRecipe([edit])), as: UTF8.self) == #"{"edits":[\#(json)]}"#)
        #expect(try JSONDecoder().decode(StillEdit.self, from: Data(json.utf8)) == edit)
    }

    @Test func `an enhancement with values comes back the same`() throws {
        var enhancement = Enhancement()
        (enhancement.gains.red, enhancement.white, enhancement.saturation) = (1.25, 0.75, 1.5)
        let recipe = StillRecipe([.enhance(enhancement), .autoEnhance])
        #expect(try JSONDecoder().decode(StillRecipe.self, from: JSONEncoder().encode(recipe)) == recipe)
    }

    @Test(arguments: [
        #"{"edits":[{"kind":"paint"}]}"#, #"{"edits":[{"kind":"crop","x":0}]}"#, #"{"edits":[{"kind":"rotate"}]}"#,
        #"{"edits":[{"kind":"rotate","turn":"back"}]}"#, #"{"edits":{}}"#, #"{}"#, #"{"edits":[{}]}"#,
    ])
    func `JSON that is no edit is refused`(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(StillRecipe.self, from: Data(json.utf8)) }
    }
}
