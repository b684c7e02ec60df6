// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Exports items.
struct LibraryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export photos and movies to a folder: edited photos with their edits, all other files as copies.",
        discussion: """
            Examples:
              obscura library export --favorites ~/best
              obscura library export --item 2026/11/photo.jpg --keywords ~/upload
            """)

    @Argument(help: "Folder to write to; created if missing.")
    var target: String

    @Option(
        help: ArgumentHelp(
            "Photo or movie of the library to export, such as 2026/11/photo.jpg; may be repeated.",
            discussion: "Give either --item, or conditions such as --favorites or --album.",
            valueName: "path"))
    var item: [String] = []

    @OptionGroup
    var conditions: LibraryQueryOptions

    @Flag(help: "Write the keywords that were added in the library into the exported photos.")
    var keywords = false

    @OptionGroup
    var jpeg: JPEGOptions

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var options: LibraryOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        if item.isEmpty == conditions.isEmpty {
            throw ValidationError("Give either --item, or conditions such as --favorites or --album, not both.")
        }
    }

    func run() async throws {
        let library = try await options.openRefreshed(isQuiet: verbosity.quiet)
        let paths = item.isEmpty ? try await selectedPaths(library) : library.resolve(item)
        let (settings, target) = (settings, target)
        let files = try await LibraryProgressLine.showing("items", isQuiet: verbosity.quiet) { progress in
            try await library.export(paths, to: target, options: settings, progress: progress)
        }
        if !verbosity.quiet { Terminal.note("\(target): \(files.count) files\n") }
    }

    private var settings: ExportOptions {
        var settings = ExportOptions()
        settings.writesKeywords = keywords
        settings.quality = jpeg.quality ?? settings.quality
        settings.overwrites = overwriting.overwrite
        return settings
    }

    /// Returns the items that meet the conditions.
    private func selectedPaths(_ library: MediaLibrary) async throws -> [String] {
        let query = try await conditions.query(library)
        var paths: [String] = []
        var position: LibraryPage.Position?
        repeat {
            let page = try await library.items(matching: query, after: position, limit: 1000)
            paths += page.items.map(\.path)
            position = page.next
        } while position != nil
        return paths
    }
}

#endif
