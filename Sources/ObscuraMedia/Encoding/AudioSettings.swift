// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The settings of the audio of a movie.
public struct AudioSettings: Sendable, Hashable {
    /// The codec.
    public var codec: AudioCodec
    /// The sample rate in hertz; always 48,000 for Opus.
    public var sampleRate: Int
    /// The number of channels, 1 to 8. Audio with another number of channels is mixed.
    public var channelCount: Int
    /// The bit rate of all channels, in bits per second; nil for 64,000 per channel. Ignored for FLAC and PCM.
    public var bitRate: Int?

    /// - Parameters:
    ///   - codec: the codec; FLAC and PCM are lossless.
    ///   - sampleRate: in hertz.
    ///   - channelCount: 1 to 8.
    ///   - bitRate: in bits per second; nil for the codec's default.
    public init(codec: AudioCodec = .aac, sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
    }

    /// The sample rates that MPEG-4 defines.
    private static let aacRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Throws if a movie cannot be encoded with these settings, before any encoder is opened.
    package func check(for container: MovieContainer) throws(ObscuraError) {
        let subject = "audio settings"
        guard container.takes(codec) else {
            let others = AudioCodec.allCases.filter(container.takes).map(\.rawValue).joined(separator: ", ")
            throw .invalidSettings(
                .recording, subject, "\(container.rawValue) does not take \(codec.rawValue)",
                "Take one of \(others), or an mkv file, which takes all.")
        }
        guard (1...8).contains(channelCount) else {
            throw .invalidSettings(.recording, subject, "\(channelCount) channels are not in 1...8")
        }
        switch codec {
        case .aac where !Self.aacRates.contains(sampleRate):
            let rates = Self.aacRates.map(String.init).joined(separator: ", ")
            throw .invalidSettings(.recording, subject, "AAC has no rate of \(sampleRate) Hz", "Take one of \(rates).")
        case .opus where sampleRate != 48_000:
            throw .invalidSettings(
                .recording, subject, "Opus in a movie is at 48000 Hz, not \(sampleRate)", "Leave the rate out.")
        case .flac, .pcm:
            guard (8_000...192_000).contains(sampleRate) else {
                throw .invalidSettings(.recording, subject, "a rate of \(sampleRate) Hz is not in 8000...192000")
            }
        default: break
        }
        if let bitRate, !(6_000...2_000_000).contains(bitRate) {
            throw .invalidSettings(
                .recording, subject, "a bit rate of \(bitRate) is not in 6,000...2,000,000 bits a second")
        }
    }

    /// The format of the encoder's input.
    package var format: AudioFormat {
        let type: AudioFormat.SampleType = codec == .aac || codec == .opus ? .float32 : .int16
        return AudioFormat(
            sampleType: type, sampleRate: sampleRate, channelCount: channelCount, isInterleaved: codec != .aac)
    }
}
