// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The data that a user adds to an item, in a file beside it.
///
/// The index can be rebuilt from these files. They stay beside the item, and not in one list, so that a folder can be
/// copied with everything that belongs to it.
struct ItemNotes: Sendable, Hashable, Codable {
    static let mostKeywords = 1000

    var isFavorite = false
    var keywords: [String] = []
    /// The positions in albums, by their identifiers.
    var albums: [String: Double] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
        keywords = try container.decodeIfPresent([String].self, forKey: .keywords) ?? []
        albums = try container.decodeIfPresent([String: Double].self, forKey: .albums) ?? [:]
    }

    /// Decodes a file; nil if it is damaged.
    init?(json: [UInt8]) {
        guard let notes = LibraryJSON.decode(ItemNotes.self, json) else { return nil }
        self = notes
        keywords = Array(keywords.prefix(Self.mostKeywords))
        albums = albums.filter { $0.value.isFinite }
    }

    func json() throws(ObscuraError) -> [UInt8] { try LibraryJSON.encode(self, to: Sidecar.notes.rawValue) }

    var isEmpty: Bool { self == ItemNotes() }
}
