// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// The name of a photo or movie in the folder: no path, not hidden, with a known extension.
///
/// Names from pages are converted to this type before any file access, so that none of them can be a path.
struct MediaName: Sendable, Hashable {
    /// Maximum length in file systems, in bytes.
    static let longest = 255

    let text: String
    let type: MediaFileType

    /// - Throws: ``ObscuraError/Code/invalidName``.
    init(_ text: String) throws(ObscuraError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest else {
            throw .invalidName(text, "it must have 1 to \(Self.longest) bytes")
        }
        guard !text.utf8.contains(UInt8(ascii: "/")) else { throw .invalidName(text, "it contains a slash") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidName(text, "it contains a control character")
        }
        guard text.utf8.first != UInt8(ascii: ".") else { throw .invalidName(text, "it begins with a dot") }
        let parts = Self.split(text)
        guard !parts.stem.isEmpty, let type = MediaFileType(ending: parts.ending) else {
            throw .invalidName(text, "its extension must be jpg, jpeg, png, mp4, m4v, mov, mkv or webm")
        }
        self.text = text
        self.type = type
    }

    /// The part before the last dot.
    var stem: String { Self.split(text).stem }
    /// The part after the last dot, in its original case.
    var ending: String { Self.split(text).ending }

    /// The name of the file with the photo's edits.
    var recipe: String { Sidecar.recipe.name(for: text) }
    /// The names of all files that belong to this one.
    var sidecars: [String] { Sidecar.allCases.map { $0.name(for: text) } }

    /// The name of the file to which a movie of this name is written until it is complete; see `AssetWriter`.
    var growing: String { "\(stem).recording.\(ending)" }

    /// The final name of the movie, if this is the name of a file in recording.
    var grown: String? {
        let mark = ".recording"
        let stem = self.stem
        return stem.hasSuffix(mark) ? "\(stem.dropLast(mark.count)).\(ending)" : nil
    }

    private static func split(_ text: String) -> (stem: String, ending: String) {
        guard let dot = text.lastIndex(of: ".") else { return (text, "") }
        return (String(text[..<dot]), String(text[text.index(after: dot)...]))
    }
}
