// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Obscura
internal import ObscuraLibrary

/// The photo library of a picker, which only reads it.
final class PickerLibrary: Sendable {
    private let library: MediaLibrary
    private let kinds: Set<LibraryItem.Kind>
    /// Updates the index.
    private let refreshing: Task<Void, Never>

    /// - Throws: the error of a library that is missing or cannot be read.
    init(_ configuration: MediaPickerConfiguration) async throws(ObscuraError) {
        var options = MediaLibrary.Options()
        options.createsFolder = false
        let library = try await MediaLibrary(path: configuration.libraryFolder, options: options)
        self.library = library
        kinds = configuration.kinds
        refreshing = Task { _ = try? await library.refresh() }
    }

    /// Ends the update of the index, and with it the calls that wait for it.
    func stop() {
        refreshing.cancel()
    }

    /// Returns some items, latest first.
    ///
    /// - Parameter position: ``PickerLibraryPage/next`` of the page before.
    func page(matching text: String?, after position: String?, limit: Int) async throws -> PickerLibraryPage {
        var query = LibraryQuery(kind: kinds.count == 1 ? kinds.first : nil)
        query.text = text
        query.isReadable = true
        let start = try position.map(Self.decode)
        // Before, the index has only a part of the library, or an old state.
        if start == nil { await refreshing.value }
        let page = try await library.items(matching: query, after: start, limit: limit)
        return PickerLibraryPage(
            items: page.items.map(PickerLibraryItem.init), next: try page.next.map(Self.encode))
    }

    /// Returns a small picture as a PNG file.
    func thumbnail(of path: String) async throws -> [UInt8] { try await library.thumbnail(of: path) }

    /// Opens an item, and reads its edits.
    func file(of path: String) async throws -> (MediaFile, StillRecipe?) {
        (try await library.file(of: path), try await library.recipe(of: path))
    }

    private static func encode(_ position: LibraryPage.Position) throws -> String {
        try JSONEncoder().encode(position).base64EncodedString()
    }

    private static func decode(_ text: String) throws -> LibraryPage.Position {
        guard let data = Data(base64Encoded: text),
            let position = try? JSONDecoder().decode(LibraryPage.Position.self, from: data)
        else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "position", reason: "it is not a position in this list",
                advice: "Reload the page.")
        }
        return position
    }
}
