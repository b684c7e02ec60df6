// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging

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
        case .notes: ItemNotes.mostBytes
        }
    }

    /// The name of the file that belongs to an item.
    package func name(for item: String) -> String { item + rawValue }

    /// The name of the item to which a file belongs; nil if the file is no sidecar.
    package static func owner(of name: String) -> String? {
        allCases.first { name.hasSuffix($0.rawValue) }.map { String(name.dropLast($0.rawValue.count)) }
    }
}
