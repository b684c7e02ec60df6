// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// What the user has a photo or a movie say of itself.
struct MetadataOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where it is taken: degrees north, east, and metres above the sea. Example: --location 52.1,4.3,12",
            discussion: "South and west are negative, as in --location -33.86,151.2.",
            valueName: "lat,long[,alt]"),
        transform: LocationArgument.init(argument:))
    var location: LocationArgument?

    @Option(help: "Example: --title \"The sea\"")
    var title: String?

    @Option(help: "What is to be seen.")
    var description: String?

    @Option(help: "Who takes it.")
    var author: String?

    @Option(help: "Example: --copyright \"© 2026 Ada\"")
    var copyright: String?

    @Option(
        help: "The language of the words, as three letters (ISO 639-2). Example: --language eng",
        transform: LanguageArgument.init(argument:))
    var language: LanguageArgument?

    var metadata: Metadata {
        var metadata = Metadata()
        metadata.location = location?.location
        metadata.title = title
        metadata.description = description
        metadata.author = author
        metadata.copyright = copyright
        metadata.language = language?.code
        return metadata
    }
}
