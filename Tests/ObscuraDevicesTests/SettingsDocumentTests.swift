// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// TOML, whole and broken.
@Suite struct SettingsDocumentTests {
    private func entries(_ text: String) throws -> [[String]: SettingsScanner.Value] {
        Dictionary(uniqueKeysWithValues: try SettingsDocument(Array(text.utf8)).entries.map { ($0.path, $0.value) })
    }

    @Test("Texts are read in each of their four forms")
    func texts() throws {
        let values = try entries(
            #"""
            a = "t\t\"q\" \u00e9\U0001F600\\" # c
            b = 'raw \n'
            c = """
            one
            two \
                three ""quoted"" """
            d = '''x''y'''
            e = ""
            f = """a"""""
            """#)
        #expect(values[["a"]] == .text("t\t\"q\" é😀\\"))
        #expect(values[["b"]] == .text("raw \\n"))
        #expect(values[["c"]] == .text("one\ntwo three \"\"quoted\"\" "))
        #expect(values[["d"]] == .text("x''y"))
        #expect(values[["e"]] == .text("") && values[["f"]] == .text("a\"\""))
    }

    @Test("Tables, names with dots, braces and arrays lead to the right places")
    func places() throws {
        let values = try entries(
            """
            top = 1
            [a."b c".'d']
            e.f = true
            g = { h = { i = "x" }, j = [1, "2", { k = 3 }] }
            [[list]]
            n = 1979-05-27 07:32:00
            [[list]]
            n = -inf
            [a]
            z = [
              1, # one
              2,
            ]
            """)
        #expect(values[["top"]] == .other && values[["a", "b c", "d", "e", "f"]] == .other)
        #expect(values[["a", "b c", "d", "g", "h", "i"]] == .text("x"))
        #expect(values[["a", "z"]] == .other && values.keys.filter { $0.first == "list" }.count == 2)
    }

    @Test(
        "What is no TOML fails where it stands",
        arguments: [
            ("a", 1, 2), ("a =", 1, 4), ("a = b", 1, 5), ("a = 1 2", 1, 7), ("a = \"x", 1, 7), ("a = \"x\ny\"", 1, 7),
            ("a = 1\na = 2", 2, 1), ("a = 1\n[a]", 2, 1), ("[a]\n[a]", 2, 1), ("[a\nb = 1", 1, 3), ("[,", 1, 2),
            ("[[a]\n", 1, 4), ("a = [1", 1, 7), ("a = {b = 1", 1, 11), ("a = [}", 1, 6), ("a = \"\\x\"", 1, 6),
            ("a = \"\\uD800\"", 1, 6), ("= 1", 1, 1), ("a.b = 1\na = 2", 2, 1), ("a = '''\n", 2, 1),
            ("a = \"\u{1}\"", 1, 6), ("é = 1", 1, 1), ("a = 2020-01-01trueT12:00:00\n[", 2, 2), ("a = 1\r", 1, 6),
        ])
    func broken(text: String, line: Int, column: Int) {
        let error = #expect(throws: SettingsScanner.Failure.self) { try SettingsDocument(Array(text.utf8)) }
        #expect(error?.line == line && error?.column == column, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("Depth and mass are borne", arguments: ["[", "{a=", "a.", "[a]\n", "a=[{a=", "\"", "=", "a=[["])
    func nested(part: String) {
        let text = "x = " + String(repeating: part, count: 20000)
        #expect(throws: SettingsScanner.Failure.self) { try SettingsDocument(Array(text.utf8)) }
    }

    @Test("Pieces of TOML in any order are read or refused")
    func pieces() {
        let pieces = [
            "[", "]", "[[", "]]", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", "=", ".", ",", "{", "}", " ", "a", "1", "-",
            "true", "2020-01-01", "T12:00:00", "#", "\\", "\\u0041", "\u{1}", "é", "\u{feff}", "[devices.\"a\"]\n",
            "position = \"front\"\n", "a={b=1}\n", "\r",
        ]
        var generator = Dice(seed: 1)
        var readable = 0
        for _ in 0..<20000 {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            if (try? SettingsDocument(Array(text.utf8))) != nil { readable += 1 }
        }
        #expect((1..<20000).contains(readable))
    }
}
