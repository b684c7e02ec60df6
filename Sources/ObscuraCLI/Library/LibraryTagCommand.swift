// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Changes favorites and keywords.
struct LibraryTagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Mark favorites, and add or remove keywords.",
        discussion: """
            Examples:
              obscura library tag 2026/11/photo.jpg --favorite
              obscura library tag 2026/11/*.jpg --add-keyword garden --remove-keyword inbox
            """)

    @Argument(help: "Paths of photos and movies, relative to the folder of the library or to the current folder.")
    var items: [String]

    @Flag(inversion: .prefixedNo, help: "Mark as favorites, or remove the mark.")
    var favorite: Bool?

    @Option(help: ArgumentHelp("Keyword to add; may be repeated.", valueName: "keyword"))
    var addKeyword: [String] = []

    @Option(help: ArgumentHelp("Keyword to remove; may be repeated.", valueName: "keyword"))
    var removeKeyword: [String] = []

    @OptionGroup
    var options: LibraryOptions

    func validate() throws {
        if favorite == nil, addKeyword.isEmpty, removeKeyword.isEmpty {
            throw ValidationError("Give --favorite, --no-favorite, --add-keyword or --remove-keyword.")
        }
    }

    func run() async throws {
        let library = try await options.open()
        let items = library.resolve(items)
        if let favorite { try await library.setFavorite(favorite, for: items) }
        if !removeKeyword.isEmpty { try await library.removeKeywords(removeKeyword, from: items) }
        if !addKeyword.isEmpty { try await library.addKeywords(addKeyword, to: items) }
        // A keyword that is removed in one spelling and added in another one remains.
        let removed = Set(removeKeyword.map { $0.lowercased() }).subtracting(addKeyword.map { $0.lowercased() })
        var hasFailed = false
        for item in items where !removed.isEmpty {
            for keyword in try await library.item(at: item).keywords where removed.contains(keyword.lowercased()) {
                Terminal.complain("\(item): the keyword \"\(keyword)\" is part of the file itself, and remains.")
                hasFailed = true
            }
        }
        if hasFailed { throw ExitCode.failure }
    }
}

/// Moves or renames an item.
struct LibraryMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move or rename a photo or movie, together with its edits, favorite mark and keywords.")

    @Argument(help: "Path of the photo or movie, relative to the folder of the library or to the current folder.")
    var item: String

    @Argument(
        help: ArgumentHelp(
            "New path, relative to the folder of the library.",
            discussion: "A path with a slash at the end is the folder to move to; the file name stays the same."))
    var target: String

    @OptionGroup
    var options: LibraryOptions

    func run() async throws {
        let library = try await options.open()
        let item = ItemPath.resolve(item, in: library)
        let name = item.split(separator: "/").last.map(String.init) ?? item
        try await library.move(item, to: target.hasSuffix("/") ? target + name : target)
    }
}

#endif
