// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CExpat

/// An Expat parser for one XML text; owns it. For one thread.
///
/// External entities are not loaded, entities that the text declares are omitted, and Expat limits their expansion in
/// attributes.
final class Expat {
    /// A part of the text. A name begins with its namespace, without a separator:
    /// `http://purl.org/dc/elements/1.1/title`.
    enum Token {
        case begin(String, attributes: [String: String])
        case text(String)
        case end(String)
    }

    private let parser: XML_Parser
    private let take: (Token) -> Bool
    private var isStopped = false

    /// Passes the parts of `text` to `take`, until it returns false or the text is not valid XML.
    static func parse(_ text: String, _ take: (Token) -> Bool) {
        withoutActuallyEscaping(take) { take in
            var text = text
            Expat(take)?.parse(&text)
        }
    }

    private init?(_ take: @escaping (Token) -> Bool) {
        guard let parser = XML_ParserCreateNS("UTF-8", 0) else { return nil }
        self.parser = parser
        self.take = take
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { Expat.of($0)?.pass(.begin(Expat.text($1), attributes: Expat.attributes($2))) },
            { Expat.of($0)?.pass(.end(Expat.text($1))) })
        XML_SetCharacterDataHandler(parser) { parser, bytes, count in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            Expat.of(parser)?.pass(.text(String(decoding: bytes, as: UTF8.self)))
        }
        // With a default handler, Expat passes references to entities to it and does not expand them.
        XML_SetDefaultHandler(parser) { _, _, _ in }
    }

    deinit {
        XML_ParserFree(parser)
    }

    private func parse(_ text: inout String) {
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let count = Int32(exactly: characters.count) else { return }
                _ = XML_Parse(parser, characters.baseAddress, count, 1)
            }
        }
    }

    /// Passes a token to `take`, except after the end: a stopped parser may call a handler once more.
    private func pass(_ token: Token) {
        guard !isStopped, !take(token) else { return }
        isStopped = true
        XML_StopParser(parser, 0)
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> Expat? {
        pointer.map { Unmanaged<Expat>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }

    /// Returns the attributes in a list of alternating names and values, which ends with a null pointer.
    private static func attributes(
        _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> [String: String] {
        var attributes: [String: String] = [:]
        var next = list
        while let pair = next, let name = pair[0] {
            attributes[text(name)] = text(pair[1])
            next = pair + 2
        }
        return attributes
    }
}
