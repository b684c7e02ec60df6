// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

/// Cuts a part out of a movie.
struct TrimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trim",
        abstract: "Cut a part out of a movie without encoding it again.",
        discussion: """
            The original is not changed. An MP4 or QuickTime movie begins exactly at --start in players that support \
            edit lists, as nearly all do. A Matroska movie begins at the last key frame before --start. A few frames \
            after --end can remain.

            Examples:
              obscura trim film.mp4 --start 1:05 --end 1:30 -o part.mp4
              obscura trim film.mkv --start 10s --duration 5s -o part.mkv
            """)

    @Argument(help: "Movie to trim.")
    var movie: String

    @Option(
        help: ArgumentHelp(
            "Start of the part: time since the first frame, such as 12.5, 90s or 1:05 (default: 0).",
            valueName: "time"),
        transform: DurationArgument.init(argument:))
    var start: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "End of the part: time since the first frame (default: the end of the movie).", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var end: DurationArgument?

    @Option(
        help: ArgumentHelp("Duration of the part; cannot be combined with --end.", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("File to write, such as part.mp4 (mp4, mov or mkv).", valueName: "file"))
    var output: String

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        if end != nil, duration != nil { throw ValidationError("--end cannot be combined with --duration.") }
        if start == nil, end == nil, duration == nil {
            throw ValidationError("Give the part to cut out: --start, --end or --duration.")
        }
    }

    func run() async throws {
        let begin = start?.time ?? .zero
        let end = end?.time ?? duration.map { begin + $0.time }
        let done = Lock(0.0)
        let reporter =
            verbosity.quiet
            ? nil
            : ProgressReporter { width in
                let fraction = done.withLock(\.self)
                return ProgressBar.text(fraction: fraction, words: "\(Int(fraction * 100))%", width: width ?? 40)
            }
        let (movie, output, overwrites) = (movie, output, overwriting.overwrite)
        let (result, code) = await Interruption.cancelling {
            try await MovieTrimmer.trim(movie, from: begin, to: end, into: output, overwrites: overwrites) { fraction in
                done.withLock { $0 = fraction }
            }
        }
        reporter?.finish()
        if let code { throw ExitCode(code) }
        let part = try result.get()
        if !verbosity.quiet {
            let seconds = part.movie.duration.map { NumberText.oneDecimal($0.seconds) } ?? "?"
            let early =
                part.start < begin ? ", from the key frame at \(NumberText.oneDecimal(part.start.seconds)) s" : ""
            let omitted = part.omittedStreamCount
            let without =
                omitted == 0 ? "" : ", without \(omitted) stream\(omitted == 1 ? "" : "s") that cannot be copied"
            Terminal.note("\(output): \(seconds) s\(early)\(without)\n")
        }
    }
}
