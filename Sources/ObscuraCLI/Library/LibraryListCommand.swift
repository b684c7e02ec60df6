// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Lists the items of a library.
struct LibraryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List photos and movies: date, marks, size and path.",
        discussion: "Marks: * favorite, e edited, ! damaged.")

    @OptionGroup
    var listing: LibraryListingOptions

    func run() async throws {
        try await listing.print()
    }
}

/// Searches for words.
struct LibrarySearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find photos and movies by words or the beginnings of words.",
        discussion: """
            Searches titles, descriptions, keywords, cameras and paths, ignoring case and accents. Finds items that \
            contain all of the words. Marks: * favorite, e edited, ! damaged.
            """)

    @Argument(help: "Words to find.")
    var words: [String]

    @OptionGroup
    var listing: LibraryListingOptions

    func validate() throws {
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
            throw ValidationError("Give a word with letters or digits.")
        }
    }

    func run() async throws {
        try await listing.print(text: words.joined(separator: " "))
    }
}

/// Options of the commands that list items.
struct LibraryListingOptions: ParsableArguments {
    @OptionGroup
    var conditions: LibraryQueryOptions

    @Option(help: ArgumentHelp("Maximum number of items to list (default: all).", valueName: "count"))
    var limit: Int?

    @Flag(help: "Print only the number of items.")
    var count = false

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    /// Prints the items that meet the conditions.
    ///
    /// - Parameter text: words that must occur; nil for any.
    func print(text: String? = nil) async throws {
        let library = try await options.openRefreshed()
        let query = try await conditions.query(library, text: text)
        if count {
            Terminal.write("\(try await library.count(matching: query))\n")
        } else {
            try await LibraryItemListing.print(library, query, limit: limit, isJSON: output.json)
        }
    }
}

#endif
