// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// The proposed name of an upload, sanitized to a valid file name.
struct UploadName: Sendable, Hashable {
    private static let longest = 200
    private static let allowed = Set(" -_.,+()@&'".unicodeScalars)

    let stem: String
    private let wantedEnding: String

    /// - Parameter text: any text; of a path, with the separators of any system, only the last component is used.
    init(_ text: String) {
        // Limits the work for an extremely long name.
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
        // No hidden names, and no trailing characters that other systems remove.
        stem = String(stem.drop { $0 == "." || $0 == " " })
        while let end = stem.last, end == "." || end == " " { stem.removeLast() }
        while stem.utf8.count > Self.longest { stem.removeLast() }
        self.stem = stem.isEmpty ? "upload" : stem
    }

    /// The name, as in messages to users.
    var text: String { MediaFileType(ending: wantedEnding) == nil ? stem : "\(stem).\(wantedEnding)" }

    /// Returns the extension for the file: the proposed one if it matches the actual type, otherwise the usual one.
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
