// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The settings of the audio of a movie.
public struct AudioSettings: Sendable, Hashable {
    /// The codec.
    public var codec: AudioCodec
    /// The sample rate in hertz; must be 48,000 for Opus.
    public var sampleRate: Int
    /// The number of channels, 1 to 8. Audio with another number of channels is mixed to this number.
    public var channelCount: Int
    /// The bit rate of all channels, in bits per second; nil for 64,000 per channel. Ignored for FLAC and PCM.
    public var bitRate: Int?

    /// Creates audio settings; by default AAC, 48 kHz, stereo.
    ///
    /// - Parameters:
    ///   - codec: the codec; FLAC and PCM are lossless.
    ///   - sampleRate: the sample rate in hertz; must be 48,000 for Opus.
    ///   - channelCount: the number of channels, 1 to 8.
    ///   - bitRate: the bit rate of all channels, in bits per second; nil for 64,000 per channel.
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

    /// Throws ``ObscuraError/Code/invalidSettings`` if a value is out of range or not supported by the container. Opens
    /// no encoder.
    package func check(for container: MovieContainer) throws(ObscuraError) {
        let subject = "audio settings"
        guard container.takes(codec) else {
            let others = AudioCodec.allCases.filter(container.takes).map(\.rawValue).joined(separator: ", ")
            throw .invalidSettings(
                .recording, subject, "\(container.rawValue) files do not support \(codec.rawValue)",
                "Choose one of \(others), or an mkv file, which supports all codecs.")
        }
        guard (1...8).contains(channelCount) else {
            throw .invalidSettings(.recording, subject, "the number of channels must be 1 to 8, not \(channelCount)")
        }
        switch codec {
        case .aac where !Self.aacRates.contains(sampleRate):
            let rates = Self.aacRates.map(String.init).joined(separator: ", ")
            throw .invalidSettings(
                .recording, subject, "AAC does not support \(sampleRate) Hz", "Choose one of \(rates) Hz.")
        case .opus where sampleRate != 48_000:
            throw .invalidSettings(
                .recording, subject, "the sample rate of Opus must be 48000 Hz, not \(sampleRate)",
                "Omit the sample rate.")
        case .flac, .pcm:
            guard (8_000...192_000).contains(sampleRate) else {
                throw .invalidSettings(
                    .recording, subject, "the sample rate must be 8000 to 192000 Hz, not \(sampleRate)")
            }
        default: break
        }
        if let bitRate, !(6_000...2_000_000).contains(bitRate) {
            throw .invalidSettings(
                .recording, subject, "the bit rate must be 6,000 to 2,000,000 bits per second, not \(bitRate)")
        }
    }

    /// The format of the encoder's input.
    package var format: AudioFormat {
        let type: AudioFormat.SampleType = codec == .aac || codec == .opus ? .float32 : .int16
        return AudioFormat(
            sampleType: type, sampleRate: sampleRate, channelCount: channelCount, isInterleaved: codec != .aac)
    }
}
