// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// The bit rate of encoded video, and the allowed encoders.
struct EncoderOptions: ParsableArguments {
    @Option(
        name: [.customLong("bitrate"), .customLong("bit-rate")],
        help: ArgumentHelp(
            "Video bit rate, in bits per second, such as 4M (default: chosen by frame size and frame rate).",
            valueName: "bits"),
        transform: ByteCountArgument.init(argument:))
    private var bitRate: ByteCountArgument?

    @Flag(help: "Do not use encoders that are licensed under the GPL, such as x264.")
    private var noGPL = false

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
