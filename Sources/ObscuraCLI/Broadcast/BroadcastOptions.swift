// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The options of live video, common to `broadcast` and `serve`.
struct BroadcastOptions: ParsableArguments {
    @OptionGroup
    var source: SourceOptions

    @Option(
        help: ArgumentHelp(
            "Also record to this movie file, such as movie.mp4 (mp4, mov or mkv); may be repeated.",
            valueName: "file"))
    var record: [String] = []

    @OptionGroup
    var sound: MicrophoneOptions

    @OptionGroup
    var encoder: EncoderOptions

    @Flag(help: "Do not adapt the bit rate to the network; if the network is too slow, frames are dropped.")
    var fixedBitrate = false

    @Option(
        help: ArgumentHelp("Maximum time between two key frames, such as 2s (default: 1s).", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var keyInterval: DurationArgument?

    @OptionGroup
    var duration: DurationOptions

    @OptionGroup
    var video: VideoOptions

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var output: JSONOptions

    @OptionGroup
    var metrics: MetricsOptions

    @OptionGroup
    var tracing: TraceOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        try encoder.checkCopy(
            video, others: ["--fixed-bitrate": fixedBitrate, "--key-interval": keyInterval != nil])
        _ = try settings()
        _ = try destinations([])
    }

    /// Runs `body`, and serves its statistics meanwhile, if an address is given.
    func serveMetrics(while body: @escaping @Sendable () async throws -> Void) async throws {
        try await metrics.serve(isQuiet: verbosity.quiet || output.json, while: body)
    }

    /// - Throws: `ValidationError`.
    func settings() throws -> BroadcastSettings {
        var settings = BroadcastSettings(bitRate: try encoder.bitRate(minimum: 50_000))
        settings.adaptsBitRate = !fixedBitrate
        settings.copiesVideo = encoder.copy
        if sound.isNone { settings.audio = nil }
        settings.video.size = video.frameSize
        settings.video.encoders.allowsGPL = encoder.allowsGPL
        if let interval = keyInterval?.time.duration {
            guard (Duration.milliseconds(100)...Duration.seconds(60)).contains(interval) else {
                throw ValidationError("--key-interval must be 100ms to 60s.")
            }
            settings.video.keyFrameInterval = interval
        }
        return settings
    }

    /// Returns the destinations and the movies of the options.
    ///
    /// - Parameter startsWhenAvailable: whether to wait for servers that do not respond yet.
    /// - Throws: `ValidationError`.
    func destinations(
        _ destinations: [BroadcastDestination], startsWhenAvailable: Bool = false
    ) throws -> [BroadcastDestination] {
        var all = destinations
        for file in record {
            let movie = try BroadcastDestination(argument: file)
            guard movie.kind == .movie else {
                throw ValidationError("Unknown file extension in \(file). Use mp4, mov or mkv.")
            }
            all.append(movie)
        }
        for (index, destination) in all.enumerated() where all[..<index].contains(destination) {
            throw ValidationError("\(destination.name) is given twice.")
        }
        for index in all.indices {
            all[index].startsWhenAvailable = startsWhenAvailable
            all[index].overwrites = overwriting.overwrite
        }
        return all
    }
}
