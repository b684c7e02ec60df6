// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// The bit rate of encoded video, and the allowed encoders.
struct EncoderOptions: ParsableArguments {
    @Option(
        name: [.customLong("bitrate"), .customLong("bit-rate")],
        help: ArgumentHelp(
            "Video bit rate, in bits per second, such as 4M.",
            discussion: """
                Default for obscura broadcast and obscura serve: depends on the frame size and the frame rate. Default \
                for obscura record: no fixed bit rate, but a constant quality (--quality).
                """,
            valueName: "bits"),
        transform: ByteCountArgument.init(argument:))
    private var bitRate: ByteCountArgument?

    @Flag(
        help: ArgumentHelp(
            "Copy the compressed video of the source instead of encoding it again.",
            discussion: """
                Works with cameras that deliver H.264 or JPEG, with movies and with network cameras. The output begins \
                with a key frame. Compressed audio is copied, too, if the output format supports its codec. All other \
                audio is encoded.
                """))
    private(set) var copy = false

    @Flag(help: "Do not use encoders that are licensed under the GPL, such as x264.")
    private var noGPL = false

    /// Throws a `ValidationError` if frames are copied although an option changes or encodes them.
    func checkCopy(_ video: VideoOptions, others: [String: Bool] = [:]) throws {
        guard copy else { return }
        let given = [
            "--bitrate": bitRate != nil, "--size": video.frameSize != nil,
            "--orientation, --mirror and --effect": video.picture.changesFrames,
        ].merging(others) { $1 }
        if let option = given.filter(\.value).keys.sorted().first {
            throw ValidationError("\(option) cannot be combined with --copy, which leaves the frames unchanged.")
        }
    }

    var allowsGPL: Bool { !noGPL }

    /// The bit rate in bits per second; nil lets the encoder choose the bit rate.
    ///
    /// - Throws: `ValidationError` for less than `minimum` and for more than 1 Gbit/s.
    func bitRate(minimum: Int64) throws -> Int? {
        guard let bits = bitRate?.count else { return nil }
        guard (minimum...1_000_000_000).contains(bits) else {
            throw ValidationError("--bitrate must be \(minimum / 1000)k to 1G.")
        }
        return Int(bits)
    }
}
