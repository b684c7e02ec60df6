// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Brings the frames of a camera or a film to files or a pipe.
struct ExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Write the frames of a camera or a film to files or a pipe.",
        discussion: """
            A film is read as fast as it goes, and every frame of it is written. A camera is read live: frames \
            that come too fast are dropped and counted.

            Examples:
              obscura extract film.mp4 -o frames/%06d.jpg --quality 95
              obscura extract film.mp4 --start 10s --count 9 --size 640x360 -o %d.png
              obscura extract camera:front --interval 500ms --count 20
              obscura extract film.mp4 -o - --format y4m | ffplay -
              obscura extract pattern:640x360@60 --duration 5s -o p.y4m --stats json
            """)

    @Argument(
        help: ArgumentHelp(
            "What to read: camera, camera:front, camera:ID, pattern, pattern:1280x720@60, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Where to write; - is standard output.",
            discussion: """
                The ending chooses what is written: jpg, jpeg and png make a file of each frame, y4m one of all, \
                and raw, bgra, rgba, bgr24, rgb24, nv12, i420, yuv, gray either. %06d is the number of the \
                frame, from 1. \
                Example: -o frames/%06d.jpg
                """,
            valueName: "pattern"))
    var output = "frames/%06d.jpg"

    @Option(help: "What to write, whatever the ending says: jpeg, png, raw or y4m. Example: -o - --format y4m")
    var format: FormatArgument?

    @Option(help: "Only each n-th frame, the first one first. Example: --every 10")
    var every: Int?

    @Option(
        help: ArgumentHelp("The least time between two frames. Example: --interval 500ms", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Where to begin in a film; how long to wait with a camera. Example: --start 2s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var start: DurationArgument?

    @Option(
        help: ArgumentHelp("How long, from the first frame. Example: --duration 10s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @Option(help: "At most so many frames. Example: --count 100")
    var count: Int?

    @Option(
        help: ArgumentHelp("The size of the pictures. Example: --size 640x360", valueName: "width>x<height"),
        transform: SizeArgument.init(argument:))
    var size: SizeArgument?

    @Option(help: "How pictures of another shape meet --size: cut off, as large as fits, or out of shape.")
    var fit: ImageRequest.Fit?

    @Option(help: "The mode of a camera; high unless given. Example: --preset hd1280x720")
    var preset: CaptureSession.Preset?

    @OptionGroup
    var picture: PictureOptions

    @Option(help: "The pixels of raw and y4m frames; the source's own unless given. Example: --pixel-format bgra")
    var pixelFormat: PixelFormatArgument?

    @Option(help: "The quality of JPEGs, 1 to 100; 85 unless given. Example: --quality 95")
    var quality: Int?

    @Flag(help: "Read a film at its own pace, as a camera would give it; late frames are dropped.")
    var realtime = false

    @Option(
        help: ArgumentHelp(
            "Print what became of every frame as one JSON object, at the end. Example: --stats json",
            discussion: "It goes to standard output, or to standard error when the frames go to standard output."))
    var stats: StatisticsArgument?

    @Option(
        help: ArgumentHelp(
            "Write a line for each frame: its file's number, from 1, and its time as a fraction and in seconds.",
            discussion: "With tabs between. Example: --timestamps times.tsv", valueName: "file"))
    var timestamps: String?

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Replace files that are there.")
    var overwrite = false

    @Flag(name: [.short, .long], help: "Show no progress and no summary, only errors.")
    var quiet = false

    func validate() throws {
        _ = try ExtractPlan(self, source: "camera")
        if output == "-", Terminal.isOutputShown {
            throw ValidationError(
                "Frames are not for a terminal. Send them on, as in obscura extract … -o - | …, or give a file.")
        }
    }

    func run() async throws {
        try await Extraction(plan: ExtractPlan(self, source: DefaultSource.camera(unless: source))).run()
    }
}
