// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Shows the format and the metadata of a file.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the format and the metadata of a movie or a photo.",
        discussion: """
            Examples:
              obscura info movie.mp4
              obscura info movie.mp4 --json
              obscura info photo.jpg
            """)

    @Argument(help: "Movie (a file or a URL), or photo (a JPEG or PNG file).")
    var file: String

    @OptionGroup
    var sourceTrust: TrustOptions

    @OptionGroup
    var output: JSONOptions

    func run() throws {
        if StillListing.names(file) {
            let listing = StillListing(try StillInfo(contentsOf: file), file: file)
            return try output.write(listing, orText: listing.text)
        }
        let reading = MovieReadingOptions(trust: sourceTrust.trust)
        let listing = MovieListing(try MovieContents.read(file, options: reading))
        try output.write(listing, orText: listing.text)
    }
}
