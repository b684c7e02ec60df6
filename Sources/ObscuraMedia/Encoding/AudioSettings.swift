// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// How the sound of a movie is made.
public struct AudioSettings: Sendable, Hashable {
    /// How the sound is compressed.
    public var codec: AudioCodec
    /// Sample frames a second. Opus is always at 48,000.
    public var sampleRate: Int
    /// 1 to 8. Sound with other channels is mixed.
    public var channelCount: Int
    /// Bits a second of all channels; nil takes 64,000 for each channel. Nothing to FLAC and PCM.
    public var bitRate: Int?

    /// - Parameters:
    ///   - sampleRate: in hertz.
    ///   - bitRate: bits a second.
    public init(codec: AudioCodec = .aac, sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
    }

    /// What MPEG-4 has a number for.
    private static let aacRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Why a movie cannot be made so, before anything is tried.
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

    /// What the encoder is given.
    package var format: AudioFormat {
        let type: AudioFormat.SampleType = codec == .aac || codec == .opus ? .float32 : .int16
        return AudioFormat(
            sampleType: type, sampleRate: sampleRate, channelCount: channelCount, isInterleaved: codec != .aac)
    }
}
