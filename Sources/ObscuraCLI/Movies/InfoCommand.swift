// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Shows what is in a file.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what is in a movie or a photo, and what it says of itself.",
        discussion: """
            Examples:
              obscura info movie.mp4
              obscura info movie.mp4 --json
              obscura info photo.jpg
            """)

    @Argument(help: "A file or an address.")
    var file: String

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Print a JSON object instead of a table.")
    var json = false

    func run() throws {
        if StillListing.names(file) {
            let listing = StillListing(try StillInfo(contentsOf: file), file: file)
            Terminal.write(json ? try JSONText.make(listing) + "\n" : listing.text)
            return
        }
        let reading = MovieReadingOptions(trust: sourceTrust.trust)
        let listing = MovieListing(try MovieContents.read(file, options: reading))
        Terminal.write(json ? try JSONText.make(listing) + "\n" : listing.text)
    }
}
