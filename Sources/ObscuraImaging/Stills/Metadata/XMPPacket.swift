// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An XMP packet (ISO 16684-1), for metadata that EXIF does not support, or only in ASCII.
///
/// Title, description, author, copyright, keywords and language are properties of Dublin Core, the first, second and fourth
/// also in other languages; custom keys are a list of `KEY=VALUE` in Obscura's namespace.
enum XMPPacket {
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let ours = "urn:x-obscura:metadata"
    /// The language of a text whose language is not specified (ISO 16684-1, section 8.2.2.4).
    private static let unspecified = "x-default"

    /// Returns the packet; nil if it would be empty.
    static func make(_ metadata: Metadata) -> [UInt8]? {
        var items = ""
        func add(_ name: String, _ list: String, _ texts: [String]) {
            addLines(name, list, texts.map { ("", $0) })
        }
        func addLines(_ name: String, _ list: String, _ lines: [(attribute: String, text: String)]) {
            let lines = lines.map { ($0.attribute, escaped($0.text)) }.filter { !$0.1.isEmpty }
            guard !lines.isEmpty else { return }
            let texts = lines.map { "<rdf:li\($0)>\($1)</rdf:li>" }.joined()
            items += "<\(name)><rdf:\(list)>\(texts)</rdf:\(list)></\(name)>\n"
        }
        func add(_ name: String, _ text: String?, _ translation: (Metadata.Translation) -> String?) {
            // The text of an unspecified language comes first.
            let others = metadata.translations.sorted { $0.key < $1.key }.map { ($0, translation($1)) }
            let lines = ([(unspecified, text)] + others).compactMap { language, text in
                text.map { (" xml:lang=\"\(escaped(language))\"", $0) }
            }
            addLines(name, "Alt", lines)
        }
        add("dc:title", metadata.title, \.title)
        add("dc:description", metadata.description, \.description)
        add("dc:creator", "Seq", [metadata.author].compactMap(\.self))
        add("dc:rights", metadata.copyright, \.copyright)
        add("dc:subject", "Bag", metadata.keywords)
        add("dc:language", "Bag", [metadata.language].compactMap(\.self))
        add("obscura:Custom", "Bag", metadata.custom.sorted { $0.key < $1.key }.map { "\(quoted($0.key))=\($0.value)" })
        guard !items.isEmpty else { return nil }
        let text = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="\(rdf)">
            <rdf:Description rdf:about="" xmlns:dc="\(dublinCore)" xmlns:obscura="\(ours)">
            \(items)</rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
        return Array(text.utf8)
    }

    /// Returns the metadata in a packet. Damaged and unknown properties are omitted.
    static func read(_ bytes: some Collection<UInt8>) -> Metadata {
        var metadata = Metadata()
        for (name, found) in XMPProperties.read(String(decoding: bytes, as: UTF8.self)) {
            let texts = found.map(\.words)
            let first = texts.first { !$0.isEmpty }
            switch name {
            case dublinCore + "title": metadata.title = read(found, into: &metadata, "title")
            case dublinCore + "description": metadata.description = read(found, into: &metadata, "description")
            case dublinCore + "creator": metadata.author = texts.isEmpty ? nil : texts.joined(separator: ", ")
            case dublinCore + "rights": metadata.copyright = read(found, into: &metadata, "copyright")
            case dublinCore + "subject": metadata.keywords = texts.filter { !$0.isEmpty }
            case dublinCore + "language": metadata.language = first
            case ours + "Custom":
                for scalars in texts.map(\.unicodeScalars) {
                    guard let sign = scalars.firstIndex(of: "=") else { continue }
                    metadata.custom[unquoted(scalars[..<sign])] = String(scalars[scalars.index(after: sign)...])
                }
            default: break
            }
        }
        return metadata
    }

    /// Adds the translations of a text to the metadata. Returns the text of an unspecified language, or else the first one.
    private static func read(
        _ texts: [XMPProperties.Text], into metadata: inout Metadata, _ name: String
    ) -> String? {
        let texts = texts.filter { !$0.words.isEmpty }
        guard let main = texts.first(where: { ($0.language ?? unspecified) == unspecified }) ?? texts.first else {
            return nil
        }
        for text in texts {
            guard let language = text.language, language != unspecified, language != main.language else { continue }
            metadata.setTranslation(name, language, text.words)
        }
        return main.words
    }

    /// Returns the text escaped for XML, without characters that XML does not allow.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // An unescaped one would be read as a line feed.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    // By scalars: a combining mark at the start of a value, or after such a sign in a key, makes another character of it.

    /// Returns the key with each `=` escaped.
    private static func quoted(_ key: String) -> String {
        var quoted = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "%": quoted += "%25"
            case "=": quoted += "%3D"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    private static func unquoted(_ key: Substring.UnicodeScalarView) -> String {
        var (unquoted, rest) = ("", key)
        while let scalar = rest.popFirst() {
            guard scalar == "%", let code = ["25": "%", "3D": "="][String(rest.prefix(2))] else {
                unquoted.unicodeScalars.append(scalar)
                continue
            }
            unquoted += code
            rest.removeFirst(2)
        }
        return unquoted
    }
}
