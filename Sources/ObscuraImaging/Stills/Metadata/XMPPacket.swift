// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An XMP packet (ISO 16684-1), for metadata that EXIF does not support, or only in ASCII.
///
/// Title, description, author, copyright, keywords and language are properties of Dublin Core; custom keys are a list of
/// `KEY=VALUE` in Obscura's namespace.
enum XMPPacket {
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let ours = "urn:x-obscura:metadata"

    /// Returns the packet; nil if it would be empty.
    static func make(_ metadata: Metadata) -> [UInt8]? {
        var items = ""
        func add(_ name: String, _ list: String, _ texts: [String]) {
            let texts = texts.map(escaped).filter { !$0.isEmpty }
            guard !texts.isEmpty else { return }
            let language = list == "Alt" ? " xml:lang=\"x-default\"" : ""
            let lines = texts.map { "<rdf:li\(language)>\($0)</rdf:li>" }.joined()
            items += "<\(name)><rdf:\(list)>\(lines)</rdf:\(list)></\(name)>\n"
        }
        add("dc:title", "Alt", [metadata.title].compactMap(\.self))
        add("dc:description", "Alt", [metadata.description].compactMap(\.self))
        add("dc:creator", "Seq", [metadata.author].compactMap(\.self))
        add("dc:rights", "Alt", [metadata.copyright].compactMap(\.self))
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
        for (name, texts) in XMPProperties.read(String(decoding: bytes, as: UTF8.self)) {
            let first = texts.first { !$0.isEmpty }
            switch name {
            case dublinCore + "title": metadata.title = first
            case dublinCore + "description": metadata.description = first
            case dublinCore + "creator": metadata.author = texts.isEmpty ? nil : texts.joined(separator: ", ")
            case dublinCore + "rights": metadata.copyright = first
            case dublinCore + "subject": metadata.keywords = texts.filter { !$0.isEmpty }
            case dublinCore + "language": metadata.language = first
            case ours + "Custom":
                for text in texts {
                    guard let sign = text.firstIndex(of: "=") else { continue }
                    metadata.custom[unquoted(text[..<sign])] = String(text[text.index(after: sign)...])
                }
            default: break
            }
        }
        return metadata
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

    /// Returns the key with each `=` escaped.
    private static func quoted(_ key: String) -> String {
        var quoted = ""
        for character in key {
            switch character {
            case "%": quoted += "%25"
            case "=": quoted += "%3D"
            default: quoted.append(character)
            }
        }
        return quoted
    }

    private static func unquoted(_ key: Substring) -> String {
        var (unquoted, rest) = ("", key)
        while let character = rest.popFirst() {
            guard character == "%", let code = ["25": "%", "3D": "="][String(rest.prefix(2))] else {
                unquoted.append(character)
                continue
            }
            unquoted += code
            rest.removeFirst(2)
        }
        return unquoted
    }
}
