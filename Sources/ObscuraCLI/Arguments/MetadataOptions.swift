// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The metadata to write into a photo or a movie.
struct MetadataOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Location as latitude,longitude or latitude,longitude,altitude, such as 52.1,4.3,12.",
            discussion: """
                Latitude and longitude in degrees, negative for south and west, as in --location -33.86,151.2. \
                Altitude in meters above sea level.
                """,
            valueName: "lat,long[,alt]"),
        transform: LocationArgument.init(argument:))
    private var location: LocationArgument?

    @Option(help: "Title of the photo or movie.")
    private var title: String?

    @Option(help: "Description of the photo or movie.")
    private var description: String?

    @Option(help: "Author of the photo or movie.")
    private var author: String?

    @Option(help: "Copyright notice, such as \"Copyright 2026 Ada\".")
    private var copyright: String?

    @Option(name: .customLong("keyword"), help: "Keyword of the photo or movie, such as garden; may be repeated.")
    private var keywords: [String] = []

    @Option(
        help: "Language of the sound, the title and the description: three letters (ISO 639-2), such as eng.",
        transform: LanguageArgument.init(argument:))
    private var language: LanguageArgument?

    @Option(
        name: .customLong("metadata"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Metadata item as a key and a value, such as project=Atlas; may be repeated.",
            discussion: """
                For a title, a description or a copyright notice in another language, add the language to the key, as \
                in title-deu=Meer.
                """,
            valueName: "key=value"),
        transform: MetadataItemArgument.init(argument:))
    private var items: [MetadataItemArgument] = []

    @Flag(name: .customLong("no-metadata"), help: "Do not add the date, the software and the camera to the metadata.")
    private var omitsDefaults = false

    /// Whether the date, the software and the camera are filled in.
    var fills: Bool { !omitsDefaults }

    var metadata: Metadata {
        var metadata = Metadata()
        for item in items { item.set(in: &metadata) }
        metadata.location = location?.location
        metadata.title = title ?? metadata.title
        metadata.description = description ?? metadata.description
        metadata.author = author ?? metadata.author
        metadata.copyright = copyright ?? metadata.copyright
        if !keywords.isEmpty { metadata.keywords = keywords }
        metadata.language = language?.code
        return metadata
    }
}
