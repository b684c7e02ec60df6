// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A text in a PNG file.
package struct PNGText: Sendable, Hashable {
    /// At most 79 bytes of Latin-1.
    package let keyword: String
    package let bytes: [UInt8]
    /// Whether the bytes are UTF-8, in an `iTXt` chunk; otherwise Latin-1, in a `tEXt` chunk.
    let isInternational: Bool

    /// Reads the uncompressed `tEXt` chunks of a PNG file, up to the end of the file or damage.
    package static func read(_ file: [UInt8]) -> [PNGText] {
        var texts: [PNGText] = []
        PNGChunks.forEach(in: file) { type, body in
            guard type == "tEXt", let end = body.firstIndex(of: 0) else { return }
            texts.append(
                PNGText(
                    keyword: String(decoding: body[..<end], as: UTF8.self), bytes: Array(body[(end + 1)...]),
                    isInternational: false))
        }
        return texts
    }
}
