// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser

/// Manages a library of photos and movies.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Import, find, organize and export photos and movies.",
        discussion: """
            A library is a folder of items: photos and movies. These files are never changed: edits, favorites, \
            keywords and albums are stored in separate files. Edits are made in the Studio (obscura studio), which \
            shows the same folder.

            Examples:
              obscura library import /media/card
              obscura library list --kind movie --order longest
              obscura library search garden --since 2026-01-01 --json | jq -r .path
              obscura library tag 2026/11/photo.jpg --favorite --add-keyword garden
              obscura library export --album Holiday ~/holiday
              obscura library verify
            """,
        subcommands: [
            LibraryImportCommand.self, LibraryListCommand.self, LibrarySearchCommand.self, LibraryExportCommand.self,
            LibraryTagCommand.self, LibraryMoveCommand.self, LibraryAlbumsCommand.self, LibraryTrashCommand.self,
            LibraryDuplicatesCommand.self, LibraryVerifyCommand.self, LibraryRebuildCommand.self,
        ])
}

#endif
