// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Reads the properties of an XMP packet: each with its whole name (the namespace before it), and its texts.
///
/// A property is a child of `rdf:Description`, with a text or with a list of texts, or an attribute of it. Whatever
/// else a packet holds is passed over. Never fails: of a damaged packet comes what stands before the damage.
enum XMPProperties {
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    /// No packet that means well is deeper.
    private static let deepest = 64

    private struct Element {
        let name: String
        let namespaces: [String: String]
    }

    static func read(_ text: String) -> [(name: String, texts: [String])] {
        var properties: [(name: String, texts: [String])] = []
        var scanner = XMLScanner(text)
        var open: [Element] = []
        /// The texts of the property that is being read, and the text of its innermost element.
        var texts: [String] = []
        var words = ""
        // The depth at which the property stands; nil outside of one.
        var property: Int?
        while let token = scanner.next() {
            switch token {
            case .begin(let tag, let attributes, let isEmpty):
                guard open.count < deepest else { return properties }
                var namespaces = open.last?.namespaces ?? [:]
                for (name, value) in attributes where name.hasPrefix("xmlns:") {
                    namespaces[String(name.dropFirst("xmlns:".count))] = value
                }
                let element = Element(name: whole(tag, namespaces), namespaces: namespaces)
                words = ""
                if element.name == rdf + "Description", property == nil {
                    for (name, value) in attributes where name.contains(":") && !name.hasPrefix("xmlns:") {
                        properties.append((whole(name, namespaces), [value]))
                    }
                } else if open.last?.name == rdf + "Description", property == nil {
                    property = open.count
                    texts = []
                }
                open.append(element)
                if isEmpty { close() }
            case .text(let part): words += part
            case .end: close()
            }
        }
        return properties

        func close() {
            guard let element = open.popLast() else { return }
            if let depth = property {
                let isProperty = open.count == depth
                if element.name == rdf + "li" || isProperty && texts.isEmpty && !words.allSatisfy(\.isWhitespace) {
                    texts.append(words)
                }
                if isProperty {
                    properties.append((element.name, texts))
                    property = nil
                }
            }
            words = ""
        }
    }

    /// The name with its namespace in the place of the prefix.
    private static func whole(_ name: String, _ namespaces: [String: String]) -> String {
        guard let colon = name.firstIndex(of: ":"), let namespace = namespaces[String(name[..<colon])] else {
            return name
        }
        return namespace + name[name.index(after: colon)...]
    }
}
