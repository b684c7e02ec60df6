// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// What is sent live and how, wherever it goes: the options of `broadcast` and of `serve`.
struct BroadcastOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to send: camera, camera:front, camera:ID, pattern, microphone, tone, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "A movie of the very same pictures: mp4, mov or mkv. May be repeated.", valueName: "file"))
    var record: [String] = []

    @Option(
        help: ArgumentHelp(
            "What to hear: microphone, microphone:ID, tone, or none for silent pictures. Example: --microphone none",
            discussion: """
                The first microphone of the machine if it is left out; with the built-in pattern the built-in tone, \
                with a film its own sound.
                """, valueName: "source"))
    var microphone: String?

    @Option(
        name: [.customLong("bitrate"), .customLong("bit-rate")],
        help: ArgumentHelp(
            "Bits a second of the picture; a tenth of a bit for each pixel unless given. Example: --bitrate 4M",
            valueName: "bits"),
        transform: ByteCountArgument.init(argument:))
    var bitRate: ByteCountArgument?

    @Flag(help: "Keep the bit rate, also where a network is too slow for it: pictures are then left out.")
    var fixedBitrate = false

    @Option(
        help: ArgumentHelp(
            "The longest time between two pictures with which playing can begin; 1s unless given.", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var keyInterval: DurationArgument?

    @Option(
        name: [.long, .customLong("max-duration")],
        help: ArgumentHelp("How long; until Ctrl-C unless given. Example: --duration 10s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp("The size of the picture; that of the source unless given.", valueName: "width>x<height"),
        transform: SizeArgument.init(argument:))
    var size: SizeArgument?

    @Option(help: "The mode of a camera; high unless given. Example: --preset hd1280x720")
    var preset: CaptureSession.Preset?

    @OptionGroup
    var picture: PictureOptions

    @Flag(help: "Take no encoder under the GPL, such as x264.")
    var noGPL = false

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Replace a movie that is there.")
    var overwrite = false

    @Flag(help: "Print a JSON object each second, and one for each event, to standard output.")
    var json = false

    @Flag(name: [.short, .long], help: "Show no progress and no summary, only errors.")
    var quiet = false
}
