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
        abstract: "Find damaged files and other problems in the library.",
        discussion: """
            Reads only the headers of files. The index is updated first. With --no-refresh, it is not updated, and \
            differences between the index and the folder are reported as problems.

            Exit codes: 0 if there is no problem, 1 if there is a problem.
            """)

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    func run() async throws {
        let library = try await options.openRefreshed(isQuiet: output.json)
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
        case .invalidName: "The name is not valid UTF-8, or is too long. Rename the file."
        case .unreadableFolder: "The folder cannot be read. Change its permissions."
        case .damaged: "The file is damaged, or its extension is wrong."
        case .withoutItem:
            "This file belongs to a missing photo or movie. Restore the photo or movie, or delete this file."
        case .damagedNotes:
            "The JSON file with edits, favorites, keywords or albums is damaged. Repair or delete the JSON file."
        case .interruptedRecording: "The recording was interrupted. Recover it with: obscura recover."
        case .incompleteTrash: "The photo or movie is missing in this folder of the trash. Check the folder."
        case .outdatedIndex:
            "The index is out of date. Update it with: obscura library list, or obscura library rebuild."
        }
    }
}

/// Rebuilds the index of a library.
struct LibraryRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Delete the index, and build a new one from the files.",
        discussion: "The index is only a cache: no edits, favorites, keywords or albums are lost.")

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
        commandName: "duplicates", abstract: "List files with the same content, in groups separated by empty lines.")

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
