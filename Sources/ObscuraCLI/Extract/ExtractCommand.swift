// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Writes the frames of a camera or a movie to files or a pipe.
struct ExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Write the frames of a camera or a movie to files or a pipe.",
        discussion: """
            A movie is read as fast as possible, and every frame is written. A camera is read live: frames that \
            cannot be written in time are dropped and counted.

            Examples:
              obscura extract film.mp4 -o frames/%06d.jpg --quality 95
              obscura extract film.mp4 --start 10s --count 9 --size 640x360 -o %d.png
              obscura extract camera:front --interval 500ms --count 20
              obscura extract film.mp4 -o - --format y4m | ffplay -
              obscura extract pattern:640x360@60 --duration 5s -o p.y4m --stats json
            """)

    @OptionGroup
    var source: SourceOptions

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "File to write, or a pattern for one file per frame, such as frames/%06d.jpg; - is standard output.",
            discussion: """
                The extension chooses the format. jpg, jpeg and png: one file per frame. y4m: one file for all frames. \
                raw, bgra, rgba, bgr24, rgb24, nv12, i420, yuv and gray: one file per frame if the name contains a \
                number such as %06d, otherwise one file for all frames. The written frames are numbered from 1.
                """,
            valueName: "pattern"))
    var output = "frames/%06d.jpg"

    @Option(
        help: ArgumentHelp(
            "File format to use instead of the one that the extension of --output names.",
            discussion: "Needed for y4m on standard output: -o - --format y4m"))
    var format: FormatArgument?

    @Option(help: "Write only every n-th frame, beginning with the first.")
    var every = 1

    @Option(
        help: ArgumentHelp("Minimum time between two written frames, such as 500ms.", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Start position in a movie, such as 2s; with a camera, the time before the first written frame.",
            valueName: "time"),
        transform: DurationArgument.init(argument:))
    var start: DurationArgument?

    @OptionGroup
    var limits: LimitOptions

    @OptionGroup
    var video: VideoOptions

    @OptionGroup
    var fitting: FitOptions

    @Option(
        help: ArgumentHelp(
            "Pixel format of raw and y4m output, such as i420.",
            discussion: """
                Default: the pixel format that the extension of --output names, such as nv12, otherwise the pixel \
                format of the source. For y4m, only i420 and gray8 can be chosen, and by default the frames are \
                converted to the nearest format that y4m supports.
                """))
    var pixelFormat: PixelFormatArgument?

    @OptionGroup
    var jpeg: JPEGOptions

    @Flag(help: "Read a movie at normal playback speed; frames that cannot be written in time are dropped.")
    var realtime = false

    @Option(
        help: ArgumentHelp(
            "At the end, print statistics as JSON, such as the number of written and of dropped frames.",
            discussion: "The statistics go to standard output, or to standard error with --output -."))
    var stats: StatisticsArgument?

    @Option(
        help: ArgumentHelp(
            "Write the presentation time of each written frame to this file, such as times.tsv.",
            discussion: """
                One line per frame, with three values separated by tabs: the number of the frame, counted from 1; the \
                time in seconds as a fraction; the same time as a decimal number.
                """, valueName: "file"))
    var timestamps: String?

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var tracing: TraceOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        if every < 1 { throw ValidationError("--every must be 1 or more.") }
        if interval?.time == .zero { throw ValidationError("--interval must be greater than 0.") }
        if fitting.fit != nil, video.frameSize == nil { throw ValidationError("--fit needs --size.") }
        if timestamps == "" || timestamps == "-" { throw ValidationError("--timestamps needs a file name.") }
        _ = try target()
        _ = try settings()
        if output == "-", Terminal.isOutputShown {
            throw ValidationError(
                "Frames cannot be written to a terminal. Use a pipe, as in obscura extract … -o - | …, or a file.")
        }
    }
}
