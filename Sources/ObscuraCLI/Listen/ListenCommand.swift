// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Shows how loud a microphone or the sound of a film is.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Show how loud a microphone or a film is.",
        discussion: """
            For each channel the average and the loudest sample, in dBFS: 0 is as loud as it can be. On a terminal \
            ten times a second as a bar, else a line each second.

            Examples:
              obscura listen
              obscura listen tone:1000@-6 --duration 3s
              obscura listen film.mp4 --json
            """)

    @Argument(
        help: ArgumentHelp(
            "What to hear: microphone, microphone:ID, tone, tone:1000@-6, a path or an address.",
            discussion: "The first microphone if it is left out, or the built-in tone if there is none."))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "How long; until Ctrl-C or the end unless given. Example: --duration 10s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Print a JSON object each second instead, to standard output.")
    var json = false

    func run() async throws {
        let name = DefaultSource.microphone(unless: source)
        try await Listening(
            source: name, trust: sourceTrust.trust, duration: duration?.time.duration, isJSON: json
        ).run()
    }
}
