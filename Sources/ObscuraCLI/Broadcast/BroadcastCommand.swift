// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Sends a camera and a microphone live.
struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Send a camera and a microphone live: RTMP, RTSP, SRT, UDP, HLS.",
        discussion: """
            Encoded once, sent to many. A destination that is slow or goes away costs only itself, and is connected to \
            again. Keys and passwords are shown nowhere; so that they are in no history of a shell either, give the \
            addresses by standard input: --to - (one a line).

            Destinations:
              rtmp://host/app/key, rtmps://host/app/key   a platform, or a server such as nginx
              rtsp://user:password@host:8554/path         a server that takes RTSP; ?transport=udp for RTP over UDP
              srt://host:9000                             a listener; ?latency=120&passphrase=…&streamid=…
              srt://:9000                                 whoever calls this machine
              udp://239.0.0.1:1234                        MPEG-TS to a machine or a group
              folder/live.m3u8                            HLS, for a web server to serve
              movie.mp4                                   a movie of the same pictures; as --record

            Examples:
              obscura broadcast --to rtmp://live.example.com/app/key
              obscura broadcast camera:front --to srt://studio:9000 --record front.mp4 --bit-rate 4M
              obscura broadcast pattern --to udp://127.0.0.1:1234 --duration 10s --json
            """)

    @Argument(
        help: ArgumentHelp(
            "What to send: camera, camera:front, camera:ID, pattern, microphone, tone, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Where to send it; as often as you like. - reads addresses from standard input.", valueName: "address"))
    var to: [String] = []

    @Option(help: ArgumentHelp("A movie of the very same pictures: mp4, mov or mkv.", valueName: "file"))
    var record: String?

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

    @Option(help: "Where the top of the upright picture goes. Example: --orientation right")
    var orientation: Orientation = .up

    @Flag(help: "Left and right change places.")
    var mirror = false

    @OptionGroup(title: "Effects")
    var effects: EffectOptions

    @Flag(help: "Wait for servers that are not there yet, instead of giving up.")
    var wait = false

    @Option(
        help: ArgumentHelp(
            "Who signed the certificates of rtmps:// and rtsps://, if the system does not know: a PEM file.",
            valueName: "file"))
    var ca: String?

    @Flag(help: "Take no encoder under the GPL, such as x264.")
    var noGPL = false

    @Flag(help: "Replace a movie that is there.")
    var overwrite = false

    @Flag(help: "Print a JSON object each second, and one for each event, to standard output.")
    var json = false

    @Flag(name: [.short, .long], help: "Show no progress and no summary, only errors.")
    var quiet = false

    func validate() throws {
        if to.isEmpty, record == nil { throw ValidationError("Say where it goes: --to rtmp://host/app/key.") }
        // What comes by standard input is looked at when it has been read.
        _ = try BroadcastPlan(self, source: "camera", addresses: to.filter { $0 != "-" })
    }

    func run() async throws {
        var addresses: [String] = []
        for address in to {
            guard address == "-" else {
                addresses.append(address)
                continue
            }
            while let line = readLine() {
                let line = line.trimmingPrefix { $0 == " " }
                if !line.isEmpty { addresses.append(String(line)) }
            }
        }
        let plan = try BroadcastPlan(self, source: source ?? DefaultSource.camera(unless: nil), addresses: addresses)
        ProcessTitle.conceal(plan.destinations.filter { $0.name != $0.address }.map(\.address))
        try await Broadcasting(plan: plan).run()
    }
}
