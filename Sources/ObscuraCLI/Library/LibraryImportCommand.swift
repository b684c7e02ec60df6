// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Imports files into a library.
struct LibraryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy photos and movies into the library.",
        discussion: """
            Files are sorted by date into one folder per month, such as 2026/11. A file is skipped if the library \
            already contains the same content. If an import was interrupted, run the command again: files that were \
            already imported are complete.

            Exit codes: 0 if every file was imported or skipped; 1 otherwise.

            Examples:
              obscura library import /media/card
              obscura library import --move *.jpg --into inbox
            """)

    @Argument(help: "Files and folders to import. Subfolders are included.")
    var files: [String]

    @Flag(
        help: ArgumentHelp(
            "Move files instead of copying them: delete each original after it was imported.",
            discussion: """
                So are the files beside an original that hold its edits and keywords. An original is also deleted if \
                the library already contains the same content.
                """))
    var move = false

    @Option(
        help: ArgumentHelp(
            "Import all files into this folder of the library, instead of one folder per month.", valueName: "folder"))
    var into: String?

    @Flag(help: "Also import files whose content the library already contains.")
    var duplicates = false

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var output: JSONOptions

    @OptionGroup
    var verbosity: QuietOptions

    func run() async throws {
        let library = try await options.open(creates: true)
        let (files, settings, isQuiet) = (files, settings, verbosity.quiet)
        let report = try await LibraryProgressLine.showing("files", isQuiet: isQuiet) { progress in
            // Files that are in the folder, but not in the index, could be duplicates.
            try await library.refresh()
            return try await library.importFiles(files, options: settings, progress: progress)
        }
        for failure in report.failures { Terminal.complain(failure.error) }
        if output.json {
            for file in report.imported { try Self.write(file, isDuplicate: false) }
            for file in report.duplicates { try Self.write(file, isDuplicate: true) }
        }
        if !isQuiet {
            Terminal.note(
                """
                \(library.path): \(report.imported.count) imported, \(report.duplicates.count) skipped as duplicates, \
                \(report.failures.count) failed

                """)
            if let first = report.skipped.first {
                Terminal.note(
                    """
                    Not imported: \(report.skipped.count) other files, such as \(first); a library accepts only JPEG, \
                    PNG, MP4, QuickTime, Matroska and WebM files.

                    """)
            }
        }
        if !report.failures.isEmpty { throw ExitCode.failure }
    }

    private var settings: ImportOptions {
        var settings = ImportOptions()
        settings.movesFiles = move
        settings.skipsDuplicates = !duplicates
        if let into { settings.layout = .folder(into == "." ? "" : into) }
        return settings
    }

    /// A file as a `--json` object.
    private struct Line: Encodable {
        let source: String
        let path: String
        let isDuplicate: Bool
    }

    private static func write(_ file: ImportReport.Imported, isDuplicate: Bool) throws {
        Terminal.write(
            try JSONText.makeLine(Line(source: file.source, path: file.path, isDuplicate: isDuplicate)) + "\n")
    }
}

#endif
