// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Records a camera and a microphone, or a film, to a movie.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a camera and a microphone to a movie.",
        discussion: """
            While it records, movie.mp4 is movie.recording.mp4, which plays at every moment; Ctrl-C makes it an \
            ordinary movie. What a crash leaves is mended with: obscura recover.

            Examples:
              obscura record -o movie.mp4
              obscura record camera:front --microphone tone --duration 10s -o front.mp4
              obscura record --split 10m --max-duration 8h -o day-%03d.mp4
              obscura record film.mp4 --codec hevc --size 640x360 -o small.mp4
            """)

    @Argument(
        help: ArgumentHelp(
            "What to record: camera, camera:front, camera:ID, pattern, microphone, tone, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "What to hear: microphone, microphone:ID, tone, or none for a silent movie. Example: --microphone none",
            discussion: """
                The first microphone of the machine if it is left out; with the built-in pattern the built-in tone, \
                with a film its own sound.
                """, valueName: "source"))
    var microphone: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "The movie; its ending chooses mp4, mov or mkv. With --split, %03d is the number of the part.",
            valueName: "file"))
    var output = "movie.mp4"

    @Option(
        name: [.long, .customLong("max-duration")],
        help: ArgumentHelp("How long; until Ctrl-C unless given. Example: --duration 10s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "At most so many bytes a file, 16k or more; never exceeded. Example: --max-size 2G", valueName: "bytes"),
        transform: ByteCountArgument.init(argument:))
    var maxSize: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "So many bytes of the disk stay free: it ends, or does not begin, where fewer are; 64M unless given.",
            discussion: "Example: --min-free 2G", valueName: "bytes"),
        transform: ByteCountArgument.init(orNone:))
    var minFree: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "A new file each so long, with nothing lost between. Example: --split 10m", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var split: DurationArgument?

    @Option(
        help: ArgumentHelp("The size of the picture; that of the source unless given.", valueName: "width>x<height"),
        transform: SizeArgument.init(argument:))
    var size: SizeArgument?

    @Option(help: "How the picture is compressed: h264, hevc, mjpeg or ffv1.")
    var codec: VideoCodec = .h264

    @Option(help: "How the sound is compressed: aac, opus, flac or pcm.")
    var audioCodec: AudioCodec = .aac

    @Option(
        help: ArgumentHelp("Bits a second of the picture. Example: --bit-rate 4M", valueName: "bits"),
        transform: ByteCountArgument.init(argument:))
    var bitRate: ByteCountArgument?

    @Option(help: "Instead of a bit rate, how good the picture is, 0 to 1. Example: --quality 0.8")
    var quality: Double?

    @Flag(help: "Take no encoder under the GPL, such as x264, and say which one was taken.")
    var noGPL = false

    @Option(help: "The mode of a camera; high unless given. Example: --preset hd1280x720")
    var preset: CaptureSession.Preset?

    @OptionGroup
    var picture: PictureOptions

    @OptionGroup(title: "What the movie says of itself")
    var metadata: MetadataOptions

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Replace a movie that is there.")
    var overwrite = false

    @Flag(name: [.short, .long], help: "Show no progress and no summary, only errors.")
    var quiet = false

    func validate() throws {
        _ = try RecordPlan(self, source: "camera")
    }

    func run() async throws {
        try await Recording(plan: RecordPlan(self, source: DefaultSource.camera(unless: source))).run()
    }
}
