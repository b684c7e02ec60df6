// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Manages the albums of a library.
struct LibraryAlbumsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums",
        abstract: "List, create, fill, rename and delete albums.",
        discussion: """
            Examples:
              obscura library albums
              obscura library albums create Holiday
              obscura library albums add Holiday 2026/08/beach.jpg 2026/08/boat.jpg
              obscura library list --album Holiday
            """,
        subcommands: [
            LibraryAlbumsListCommand.self, LibraryAlbumsCreateCommand.self, LibraryAlbumsAddCommand.self,
            LibraryAlbumsRemoveCommand.self, LibraryAlbumsRenameCommand.self, LibraryAlbumsDeleteCommand.self,
        ],
        defaultSubcommand: LibraryAlbumsListCommand.self)

    /// Returns the album with a name.
    static func album(_ name: String, _ library: MediaLibrary) async throws -> Album {
        guard let album = try await library.album(named: name) else {
            throw ObscuraError(
                .command, .notFound, subject: "album \"\(name)\"", reason: "there is no such album",
                advice: "List the albums with: obscura library albums.")
        }
        return album
    }
}

/// Lists the albums.
struct LibraryAlbumsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the albums and the number of items in each.")

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    /// An album as a `--json` object.
    private struct Listing: Codable {
        let id: String
        let name: String
        let created: String
        let count: Int
    }

    func run() async throws {
        let albums = try await options.openRefreshed().albums().map { album, count in
            Listing(id: album.id.description, name: album.name, created: album.created.iso8601, count: count)
        }
        try output.write(albums, orText: ListingTable.text(albums.map { ($0.name, "\($0.count)") }))
    }
}

/// Creates an album.
struct LibraryAlbumsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create an album.")

    @Argument(help: "Name of the album.")
    var name: String

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        try await options.open().createAlbum(named: name)
    }
}

/// Adds items to an album.
struct LibraryAlbumsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add items to the end of an album.")

    @Argument(help: "Name of the album.")
    var name: String

    @Argument(help: "Paths of photos and movies, relative to the folder of the library or to the current folder.")
    var items: [String]

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.openRefreshed()
        try await library.add(library.resolve(items), to: LibraryAlbumsCommand.album(name, library).id)
    }
}

/// Removes items from an album.
struct LibraryAlbumsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove items from an album; they remain in the library.")

    @Argument(help: "Name of the album.")
    var name: String

    @Argument(help: "Paths of photos and movies, relative to the folder of the library or to the current folder.")
    var items: [String]

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        try await library.remove(library.resolve(items), from: LibraryAlbumsCommand.album(name, library).id)
    }
}

/// Renames an album.
struct LibraryAlbumsRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename an album.")

    @Argument(help: "Name of the album.")
    var name: String

    @Argument(help: "New name.")
    var newName: String

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        try await library.renameAlbum(LibraryAlbumsCommand.album(name, library).id, to: newName)
    }
}

/// Deletes an album.
struct LibraryAlbumsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an album; its items remain in the library.")

    @Argument(help: "Name of the album.")
    var name: String

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        try await library.deleteAlbum(LibraryAlbumsCommand.album(name, library).id)
    }
}

#endif
