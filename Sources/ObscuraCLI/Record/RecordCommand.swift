// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Records a camera and a microphone, or converts a movie.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a camera and a microphone to a movie.",
        discussion: """
            While recording, movie.mp4 is named movie.recording.mp4 and can be played at any time. Ctrl-C ends the \
            recording. After a crash, recover the recording with: obscura recover. Sources that have only sound, such \
            as 'microphone' and 'tone', work as well.

            Examples:
              obscura record -o movie.mp4
              obscura record camera:front --microphone tone --duration 10s -o front.mp4
              obscura record --split 10m --max-duration 8h -o day-%03d.mp4
              obscura record film.mp4 --codec hevc --size 640x360 -o small.mp4
              obscura record rtsp://camera/stream --copy --split 10m -o day-%03d.mp4
            """)

    @OptionGroup
    var source: SourceOptions

    @OptionGroup
    var sound: MicrophoneOptions

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Movie to write, such as movie.mp4 (mp4, mov or mkv).",
            discussion: "With --split, %03d in the name is replaced with the number of the part, such as 001.",
            valueName: "file"))
    var output = "movie.mp4"

    @OptionGroup
    var duration: DurationOptions

    @Option(
        help: ArgumentHelp(
            "Maximum file size in bytes, such as 2G; at least 16k.",
            discussion: "The recording ends before the file exceeds this size.",
            valueName: "bytes"),
        transform: ByteCountArgument.init(argument:))
    var maxSize: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "Stop, or do not start, when less disk space than this is free, such as 2G (default: 64M).",
            valueName: "bytes"),
        transform: ByteCountArgument.init(orNone:))
    var minFree: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "Start a new file at this interval, such as 10m, without dropping frames.", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var split: DurationArgument?

    @OptionGroup
    var video: VideoOptions

    @Option(help: "Video codec (default: h264).")
    var codec: VideoCodec?

    @Option(help: "Audio codec.")
    var audioCodec: AudioCodec = .aac

    @OptionGroup
    var encoder: EncoderOptions

    @Option(
        help: ArgumentHelp(
            "Video quality, 0 (smallest file) to 1 (best quality), such as 0.8 (default: 0.6).",
            discussion: "Cannot be combined with --bitrate."))
    var quality: Double?

    @OptionGroup(title: "Metadata of the movie")
    var metadata: MetadataOptions

    @OptionGroup
    var overwriting: OverwriteOptions

    @Option(
        help: ArgumentHelp(
            "At the end, print statistics as JSON, such as the number of recorded and of dropped frames.",
            discussion: "The statistics also contain delays from capture to file, gaps, camera switches and more."))
    var stats: StatisticsArgument?

    @OptionGroup
    var metrics: MetricsOptions

    @OptionGroup
    var tracing: TraceOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        try encoder.checkCopy(video, others: ["--codec": codec != nil, "--quality": quality != nil])
        _ = try pattern()
        _ = try videoSettings()
        _ = try audioSettings()
        if let maxSize, maxSize.count < MovieFileOutput.smallestFileSize {
            throw ValidationError("--max-size must be at least 16k: a smaller file cannot hold a movie.")
        }
        if let split, split.time.duration < .seconds(1) {
            throw ValidationError("--split must be at least 1 second.")
        }
    }
}
