// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What a page calls a file, made into what a file of the folder may be called.
struct UploadName: Sendable, Hashable {
    private static let longest = 200
    private static let allowed = Set(" -_.,+()@&'".unicodeScalars)

    let stem: String
    private let wantedEnding: String

    /// - Parameter text: anything; of a path, by any system's slashes, the last part counts.
    init(_ text: String) {
        // A name of a million dots is none.
        let last = text.unicodeScalars.suffix(1024).split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? []
        let name = String(String.UnicodeScalarView(last))
        let dot = name.lastIndex(of: ".")
        wantedEnding = dot.map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
        let isKnown = MediaFileType(ending: wantedEnding) != nil
        var stem = String(
            String.UnicodeScalarView(
                (isKnown ? String(name[..<(dot ?? name.endIndex)]) : name).unicodeScalars.map { scalar in
                    let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    return isPlain || Self.allowed.contains(scalar) ? scalar : "_"
                }))
        // Not hidden, and nothing at an end that other systems cut off.
        stem = String(stem.drop { $0 == "." || $0 == " " })
        while let end = stem.last, end == "." || end == " " { stem.removeLast() }
        while stem.utf8.count > Self.longest { stem.removeLast() }
        self.stem = stem.isEmpty ? "upload" : stem
    }

    /// For people.
    var text: String { MediaFileType(ending: wantedEnding) == nil ? stem : "\(stem).\(wantedEnding)" }

    /// What the file will end with: what the page said if that fits what the file is.
    func ending(for type: MediaFileType) -> String {
        guard let wanted = MediaFileType(ending: wantedEnding) else { return type.ending }
        let isOfFamily =
            switch type {
            case .mp4, .quickTime: wanted == .mp4 || wanted == .quickTime
            case .matroska, .webM: wanted == .matroska || wanted == .webM
            case .jpeg, .png: wanted == type
            }
        return isOfFamily ? wantedEnding : type.ending
    }
}
