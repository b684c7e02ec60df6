// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// The library to use.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the library (default: the folder Obscura in your Pictures folder).", valueName: "folder"))
    var library: String?

    @Flag(help: "Do not look for files that other programs added, changed or deleted.")
    var noRefresh = false

    private var path: String { library ?? MediaLibrary.defaultPath }

    func validate() throws {
        if library?.isEmpty == true { throw ValidationError("--library needs a folder.") }
    }

    /// Opens the library.
    ///
    /// - Parameter creates: whether a missing folder is created.
    func open(creates: Bool = false) async throws -> MediaLibrary {
        var options = MediaLibrary.Options()
        options.createsFolder = creates
        do {
            return try await MediaLibrary(path: path, options: options)
        } catch {
            guard error.code == .notFound else { throw error }
            throw ObscuraError(
                .command, .notFound, subject: path, reason: "there is no such folder",
                advice: "Specify the folder with --library, or create a library with: obscura library import.")
        }
    }

    /// Opens the library, and updates its index from the folder. Shows the progress, unless `isQuiet` is true.
    func openRefreshed(isQuiet: Bool = false) async throws -> MediaLibrary {
        let library = try await open()
        if noRefresh { return library }
        try await LibraryProgressLine.showing("files read", isQuiet: isQuiet) {
            try await library.refresh(progress: $0)
        }
        return library
    }
}

#endif
