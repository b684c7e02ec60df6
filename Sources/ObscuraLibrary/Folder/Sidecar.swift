// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// The files that belong to an item, beside it.
package enum Sidecar: String, Sendable, CaseIterable {
    /// The edits of a photo, a `StillRecipe`.
    case recipe = ".recipe.json"
    /// The user's data; see ``ItemNotes``.
    case notes = ".library.json"

    /// The maximum size, in bytes.
    var mostBytes: Int {
        switch self {
        case .recipe: StillRecipe.mostBytes
        case .notes: 256 << 10
        }
    }

    /// The name of the file that belongs to an item.
    package func name(for item: String) -> String { item + rawValue }

    /// - Parameter path: the item, for the error.
    /// - Throws: ``ObscuraError/Code/invalidPath`` if the name of an item is too long for a file beside it.
    func checkName(of item: String, at path: String) throws(ObscuraError) {
        guard name(for: item).utf8.count > LibraryPath.longestName else { return }
        throw ObscuraError(
            .library, .invalidPath, subject: path,
            reason: "the name is too long to store edits and keywords beside the file",
            advice: "Give the file a shorter name.")
    }

    /// Reads the file that belongs to an item; nil if it is missing, no regular file, or too large.
    func contents(of item: String, in folder: OpenFolder) -> [UInt8]? {
        guard let file = try? folder.open(name(for: item)), file.status.size <= Int64(mostBytes) else { return nil }
        return try? file.read(at: 0, count: mostBytes)
    }

    /// The name of the item to which a file belongs; nil if the file is no sidecar.
    package static func owner(of name: String) -> String? {
        allCases.first { name.hasSuffix($0.rawValue) }.map { String(name.dropLast($0.rawValue.count)) }
    }
}
