// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A parser of `.cube` files, line by line.
struct CubeParser {
    private let name: String
    private var line = 0
    private var title: String?
    private var dimension: CubeFile.Dimension?
    private var size = 0
    private var domainMinimum = SIMD3<Double>(repeating: 0)
    private var domainMaximum = SIMD3<Double>(repeating: 1)
    private var colors: [SIMD3<Float>] = []

    init(name: String) {
        self.name = name
    }

    /// The number of colors that the table must have.
    private var expected: Int { dimension == .three ? size * size * size : size }

    mutating func parse(_ bytes: [UInt8]) throws(ObscuraError) -> CubeFile {
        guard !bytes.isEmpty else { throw .damaged(name, "it is empty") }
        var begin = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        while begin < bytes.count {
            let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            line += 1
            // No valid line is longer, and a line without an end must not appear in a message.
            guard end - begin <= 1000 else { throw wrong("the line is longer than 1000 bytes") }
            try read(bytes[begin..<end])
            begin = end + 1
        }
        guard let dimension else { throw .damaged(name, "it has neither LUT_1D_SIZE nor LUT_3D_SIZE") }
        guard colors.count == expected else {
            throw .damaged(name, "it ends after \(colors.count) of \(expected) colors")
        }
        return CubeFile(
            title: title, dimension: dimension, size: size, domainMinimum: domainMinimum, domainMaximum: domainMaximum,
            colors: colors)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(ObscuraError) {
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard let first = words.first, let letter = first.first, letter != UInt8(ascii: "#") else { return }
        guard isLetter(letter) else { return try readColor(words) }
        let keyword = text(first)
        guard keyword != "TITLE" else {
            let line = text(bytes).drop(while: \.isWhitespace).dropFirst(keyword.count)
            // Some programs omit the quotation marks.
            let words = line.firstIndex(of: "\"").map { line[$0...] } ?? line.drop(while: \.isWhitespace)
            let said = words.filter { $0 != "\"" && $0 != "\r" }
            title = said.isEmpty ? nil : said
            return
        }
        // Also excludes "nan" and "inf".
        if Double(keyword) != nil { return try readColor(words) }
        guard colors.isEmpty else { throw wrong("\(keyword) must precede the colors") }
        switch keyword {
        case "LUT_1D_SIZE": try setSize(.one, words, most: CubeFile.longestCurve)
        case "LUT_3D_SIZE": try setSize(.three, words, most: CubeFile.largestCube)
        case "DOMAIN_MIN": domainMinimum = try numbers(words.dropFirst(), count: 3, keyword).vector
        case "DOMAIN_MAX": domainMaximum = try numbers(words.dropFirst(), count: 3, keyword).vector
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let range = try numbers(words.dropFirst(), count: 2, keyword)
            domainMinimum = SIMD3(repeating: range[0])
            domainMaximum = SIMD3(repeating: range[1])
        default: throw wrong("\(keyword) is not a keyword of .cube files")
        }
    }

    private mutating func setSize(
        _ dimension: CubeFile.Dimension, _ words: [ArraySlice<UInt8>], most: Int
    ) throws(ObscuraError) {
        let keyword = text(words[0])
        guard self.dimension == nil else { throw wrong("only one LUT_1D_SIZE or LUT_3D_SIZE is allowed") }
        guard words.count == 2, let size = Int(text(words[1])), size >= 2 else {
            throw wrong("\(keyword) must be an integer of at least 2")
        }
        guard size <= most else {
            throw ObscuraError(
                .imaging, .tooLarge, subject: name, reason: "line \(line): \(keyword) must be at most \(most)",
                advice: nil)
        }
        (self.dimension, self.size) = (dimension, size)
    }

    private mutating func readColor(_ words: [ArraySlice<UInt8>]) throws(ObscuraError) {
        guard dimension != nil else { throw wrong("a color precedes LUT_1D_SIZE or LUT_3D_SIZE") }
        if colors.isEmpty {
            let isWide = all(domainMinimum .< domainMaximum)
            guard isWide else { throw wrong("DOMAIN_MAX must be above DOMAIN_MIN") }
        }
        let color = try numbers(words[...], count: 3, "a color").vector
        guard colors.count < expected else { throw wrong("the table has more than \(expected) colors") }
        colors.append(SIMD3<Float>(color))
    }

    private func numbers(
        _ words: ArraySlice<ArraySlice<UInt8>>, count: Int, _ what: String
    ) throws(ObscuraError) -> [Double] {
        guard words.count == count else { throw wrong("\(what) has \(words.count) numbers instead of \(count)") }
        var numbers: [Double] = []
        for word in words {
            guard let number = Double(text(word)) else { throw wrong("'\(text(word).prefix(40))' is not a number") }
            guard abs(number) <= 1e6 else { throw wrong("\(number) is not in the range -1000000 to 1000000") }
            numbers.append(number)
        }
        return numbers
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xdf)
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private func wrong(_ reason: String) -> ObscuraError { .damaged(name, "line \(line): \(reason)") }
}

extension [Double] {
    fileprivate var vector: SIMD3<Double> { SIMD3(self[0], self[1], self[2]) }
}
