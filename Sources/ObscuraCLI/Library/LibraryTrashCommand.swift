// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Manages the trash of a library.
struct LibraryTrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "List, fill and empty the trash, and restore items.",
        discussion: """
            Examples:
              obscura library trash put 2026/11/blurred.jpg
              obscura library trash
              obscura library trash restore 1795737600000-5f3a
              obscura library trash empty
            """,
        subcommands: [
            LibraryTrashListCommand.self, LibraryTrashPutCommand.self, LibraryTrashRestoreCommand.self,
            LibraryTrashEmptyCommand.self,
        ],
        defaultSubcommand: LibraryTrashListCommand.self)
}

/// Lists the trash.
struct LibraryTrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the items in the trash: identifier, date of deletion and path.")

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    /// An item as a `--json` object.
    private struct Listing: Codable {
        let id: String
        let deleted: String
        let path: String
    }

    func run() async throws {
        let items = try await options.open().trashedItems().map {
            Listing(id: $0.id, deleted: $0.deleted.iso8601, path: $0.path)
        }
        try output.write(
            items,
            orText: items.map { "\($0.id)  \($0.deleted.prefix(19).replacing("T", with: " "))  \($0.path)\n" }.joined())
    }
}

/// Moves items to the trash.
struct LibraryTrashPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Move items to the trash, and print their identifiers.")

    @Argument(help: "Paths of photos and movies, relative to the folder of the library or to the current folder.")
    var items: [String]

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        for item in try await library.trash(library.resolve(items)) { Terminal.write("\(item.id)  \(item.path)\n") }
    }
}

/// Restores items.
struct LibraryTrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Return items from the trash to the library, and print their paths.")

    @Argument(help: "Identifiers of the items, as obscura library trash prints them, or their former paths.")
    var ids: [String]

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        for id in ids {
            // The latest one that had the path.
            let known = try await library.trashedItems()
            let item = known.first { $0.id == id } ?? known.first { $0.path == id }
            Terminal.write("\(try await library.restore(item?.id ?? id).path)\n")
        }
    }
}

/// Empties the trash.
struct LibraryTrashEmptyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty", abstract: "Delete items in the trash permanently.")

    @Argument(help: "Identifiers of the items, as obscura library trash prints them (default: all items).")
    var ids: [String] = []

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let count = try await options.open().emptyTrash(ids.isEmpty ? nil : ids)
        Terminal.note("\(count) item\(count == 1 ? "" : "s") deleted\n")
    }
}

#endif
