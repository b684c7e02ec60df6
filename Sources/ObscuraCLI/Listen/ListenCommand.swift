// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Shows the level of a microphone or of the sound of a movie.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Show the level of a microphone or of the sound of a movie.",
        discussion: """
            Shows the average and the peak of each channel in dBFS (0 is full scale): ten times a second as a bar on a \
            terminal, otherwise as a line each second.

            Examples:
              obscura listen
              obscura listen tone:1000@-6 --duration 3s
              obscura listen film.mp4 --json
            """)

    @Argument(
        help: ArgumentHelp(
            "Source: 'microphone', 'microphone:ID', 'tone' (test tone), a file or a URL.",
            discussion: """
                Default: the first microphone, or the test tone if there is no microphone. obscura devices lists the \
                IDs. 'tone:1000@-6' is a continuous tone of 1000 Hz at -6 dBFS.
                """))
    var source: String?

    @OptionGroup
    var duration: DurationOptions

    @OptionGroup
    var sourceTrust: TrustOptions

    @OptionGroup
    var lines: JSONOptions

    func run() async throws {
        let name = DefaultSource.microphone(unless: source)
        try await Listening(
            source: name, trust: sourceTrust.trust, duration: duration.time?.duration, isJSON: lines.json
        ).run()
    }
}
