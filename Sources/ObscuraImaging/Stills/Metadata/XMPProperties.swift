// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A reader of the properties of an XMP packet: each with its full name, which begins with the namespace, and its
/// texts.
///
/// A property is a child of `rdf:Description` with a text or a list of texts, or an attribute of it. All else is
/// ignored. Never fails: for a damaged packet, returns the properties before the damage.
struct XMPProperties {
    /// A text, or one of a list.
    struct Text {
        let words: String
        /// The language that it has of its own (`xml:lang`), such as `de`; nil for none.
        let language: String?
    }

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let language = "http://www.w3.org/XML/1998/namespacelang"
    /// Maximum depth of elements; valid packets have fewer levels.
    private static let deepest = 64

    private var properties: [(name: String, texts: [Text])] = []
    private var open: [String] = []
    /// The texts of the property that is being read, and the text and the language of its innermost element.
    private var texts: [Text] = []
    private var words = ""
    private var language: String?
    /// The depth of the property that is being read; nil outside of one.
    private var property: Int?

    static func read(_ text: String) -> [(name: String, texts: [Text])] {
        var reading = XMPProperties()
        Expat.parse(text) { token in
            switch token {
            case .begin(let name, let attributes): reading.begin(name, attributes)
            case .text(let part): reading.words += part
            case .end(let name): reading.end(name)
            }
            return reading.open.count <= deepest
        }
        return reading.properties
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
        words = ""
        language = attributes[Self.language]
        if property == nil {
            if name == Self.rdf + "Description" {
                for (name, value) in attributes where name.contains(":") {
                    properties.append((name, [Text(words: value, language: nil)]))
                }
            } else if open.last == Self.rdf + "Description" {
                property = open.count
                texts = []
            }
        }
        open.append(name)
    }

    private mutating func end(_ name: String) {
        _ = open.popLast()
        if let depth = property {
            let isProperty = open.count == depth
            if name == Self.rdf + "li" || isProperty && texts.isEmpty && !words.allSatisfy(\.isWhitespace) {
                texts.append(Text(words: words, language: language))
            }
            if isProperty {
                properties.append((name, texts))
                property = nil
            }
        }
        (words, language) = ("", nil)
    }
}
