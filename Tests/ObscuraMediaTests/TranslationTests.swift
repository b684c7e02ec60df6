// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import Testing

@Suite struct TranslationTests {
    @Test(arguments: [
        ("title-deu", "title", "deu"), ("Description-ENG", "description", "eng"), ("copyright-fr", "copyright", "fr"),
    ])
    func `A key names a text and its language`(key: String, name: String, language: String) throws {
        let found = try #require(Metadata.translation(of: key))
        #expect(found.name == name && found.language == language)
    }

    @Test(arguments: [
        "title", "title-", "title-d", "title-main", "title-de-at", "title-1st", "title-äöü", "author-deu", "-deu", "",
    ])
    func `Other keys are keys of one's own`(key: String) {
        #expect(Metadata.translation(of: key) == nil)
    }

    @Test func `Translations are merged text by text`() {
        var first = Metadata()
        first.translations = [
            "deu": Metadata.Translation(title: "Meer", description: "Blau"), "fra": .init(title: "Mer"),
        ]
        var second = Metadata()
        second.translations = [
            "deu": Metadata.Translation(title: "See", copyright: "© Ada"), "ita": .init(title: "Mare"),
        ]
        let merged = first.merging(second)
        #expect(
            merged.translatedTexts == [
                "title-deu": "See", "description-deu": "Blau", "copyright-deu": "© Ada", "title-fra": "Mer",
                "title-ita": "Mare",
            ])
    }

    @Test func `Metadata of an earlier version, without translations, is decoded`() throws {
        var metadata = Metadata()
        metadata.title = "Sea"
        metadata.translations = ["deu": Metadata.Translation(title: "Meer")]
        let data = try JSONEncoder().encode(metadata)
        #expect(try JSONDecoder().decode(Metadata.self, from: data) == metadata)
        #expect(try JSONDecoder().decode(Metadata.self, from: Data(#"{"title":"Sea"}"#.utf8)).translations.isEmpty)
    }
}
