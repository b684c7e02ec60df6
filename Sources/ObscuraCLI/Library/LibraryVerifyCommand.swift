// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Checks a library.
struct LibraryVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find damaged and misplaced files.",
        discussion: """
            Reads the headers of files, not all of their contents. With --no-refresh, the index is not updated before, and \
            differences to the folder are problems.

            Exit codes: 0 without problems, 1 otherwise.
            """)

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    func run() async throws {
        let library = try await options.openRefreshed()
        let report = try await LibraryProgressLine.showing("items", isQuiet: output.json) { progress in
            try await library.verify(progress: progress)
        }
        let lines = report.problems.map { "\($0.path): \(Self.text($0.kind))\n" }
        let items = "\(report.itemCount) items, \(report.trashCount) in the trash, \(report.problems.count) problems\n"
        try output.write(report, orText: lines.joined() + items)
        if !report.problems.isEmpty { throw ExitCode.failure }
    }

    private static func text(_ kind: LibraryProblem.Kind) -> String {
        switch kind {
        case .invalidName: "The name is not valid UTF-8 or too long. Rename the file."
        case .unreadableFolder: "The folder cannot be read. Change its permissions."
        case .damaged: "The file is damaged, or its extension is wrong."
        case .withoutItem:
            "It belongs to a photo or movie that does not exist. Put that back under its name, or delete this file."
        case .damagedNotes: "Its edits, favorites or keywords are damaged. Delete or repair the files beside it."
        case .interruptedRecording: "The recording was interrupted. Recover it with: obscura recover."
        case .incompleteTrash: "An item in the trash is incomplete. Look at its files."
        case .outdatedIndex: "The index is out of date. Update it with: obscura library list, or library rebuild."
        }
    }
}

/// Rebuilds the index of a library.
struct LibraryRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Delete the index, and build it from the files.",
        discussion: "The index is a cache: nothing is lost.")

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var verbosity: QuietOptions

    func run() async throws {
        let library = try await options.open()
        let report = try await LibraryProgressLine.showing("files read", isQuiet: verbosity.quiet) { progress in
            try await library.rebuildIndex(progress: progress)
        }
        if !verbosity.quiet { Terminal.note("\(library.path): \(report.added) items\n") }
    }
}

/// Lists duplicates.
struct LibraryDuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "List files with the same content, a group per paragraph.")

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    func run() async throws {
        let groups = try await options.openRefreshed().duplicates().map { $0.map(\.path) }
        try output.write(groups, orText: groups.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
    }
}

#endif
