// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Testing

@testable import ObscuraStudio

@Suite struct RecipeTests {
    @Test func everyKindOfEditComesBackAsItWasWritten() throws {
        let part = Recipe.Part(x: 0.1, y: 0.2, width: 0.5, height: 0.25)
        let recipe = Recipe(edits: [
            .crop(part), .rotate(.left), .mirror, .straighten(degrees: -2.5), .redEye([part, part]), .enhance,
        ])
        #expect(try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(recipe)) == recipe)
    }

    @Test(arguments: [
        #"{"edits":[{"kind":"paint"}]}"#, #"{"edits":[{"kind":"crop","x":0}]}"#, #"{"edits":[{"kind":"rotate"}]}"#,
        #"{"edits":[{"kind":"rotate","turn":"up"}]}"#, #"{"edits":{}}"#, #"{}"#, #"{"edits":[{}]}"#,
    ])
    func whatIsNoEditIsRefused(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Recipe.self, from: Data(json.utf8)) }
    }
}
