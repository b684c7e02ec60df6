// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The metadata chunks of a PNG file (W3C PNG, third edition).
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    /// The keyword of an `iTXt` chunk with an XMP packet.
    static let xmpKeyword = "XML:com.adobe.xmp"

    /// Reads the metadata; skips compressed texts. Never fails: for a damaged file, returns what precedes the damage.
    static func parts(of bytes: [UInt8]) -> StillParts {
        var parts = StillParts()
        forEach(in: bytes) { type, body in
            switch type {
            case "IHDR" where body.count >= 8:
                parts.size = PixelSize(
                    width: number(bytes, body.startIndex), height: number(bytes, body.startIndex + 4))
            case "eXIf" where parts.exif == nil: parts.exif = LibExif.head + body
            case "iTXt": readText(body, isInternational: true, &parts)
            case "tEXt": readText(body, isInternational: false, &parts)
            default: break
            }
        }
        return parts
    }

    /// Calls `body` with the type and the bytes of each chunk, up to the end of the file or damage.
    static func forEach(in bytes: [UInt8], _ body: (_ type: String, ArraySlice<UInt8>) -> Void) {
        var offset = signature.count
        while offset + 12 <= bytes.count {
            let length = number(bytes, offset)
            let begin = offset + 8
            guard length <= bytes.count - begin - 4 else { return }
            let type = String(decoding: bytes[offset + 4..<begin], as: UTF8.self)
            if type == "IEND" { return }
            body(type, bytes[begin..<begin + length])
            offset = begin + length + 4
        }
    }

    private static func readText(_ body: ArraySlice<UInt8>, isInternational: Bool, _ parts: inout StillParts) {
        guard let end = body.firstIndex(of: 0) else { return }
        let keyword = String(decoding: body[..<end], as: UTF8.self)
        var text = body[(end + 1)...]
        if isInternational {
            // The compression flag and method, the language, and the translated keyword.
            guard text.count >= 2, text.first == 0 else { return }
            text = text.dropFirst(2)
            for _ in 0..<2 {
                guard let end = text.firstIndex(of: 0) else { return }
                text = text[(end + 1)...]
            }
        }
        if keyword == xmpKeyword {
            parts.xmp = parts.xmp ?? Array(text)
            return
        }
        // Texts without a language are Latin-1, whose codes are those of Unicode.
        let words =
            isInternational
            ? String(decoding: text, as: UTF8.self)
            : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
        guard !words.isEmpty else { return }
        switch keyword {
        case "Title": parts.texts.title = words
        case "Author": parts.texts.author = words
        case "Description": parts.texts.description = words
        case "Copyright": parts.texts.copyright = words
        case "Software": parts.texts.software = words
        default: break
        }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
