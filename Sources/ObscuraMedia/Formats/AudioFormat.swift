// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// How sound lies in memory: uncompressed, in the machine's byte order.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// What one sample is.
    public enum SampleType: String, Sendable, Hashable, CaseIterable, Codable {
        /// Whole numbers of 16 bits with a sign; full scale is 32,768.
        case int16 = "s16"
        /// Whole numbers of 32 bits with a sign; full scale is 2,147,483,648.
        case int32 = "s32"
        /// Floating point; full scale is 1.
        case float32 = "f32"

        /// How many bytes a sample takes.
        public var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    /// What one sample is.
    public var sampleType: SampleType
    /// Sample frames (one sample of each channel) a second.
    public var sampleRate: Int
    /// How many channels there are, in the order of WAVE: left, right, centre, low frequencies, …
    public var channelCount: Int
    /// Whether the samples of one moment lie side by side. If not, each channel lies in one piece, one channel
    /// after the other.
    public var isInterleaved: Bool

    /// - Parameters:
    ///   - sampleRate: in hertz; held to 1...768,000.
    ///   - channelCount: held to 1...64.
    public init(
        sampleType: SampleType = .float32, sampleRate: Int = 48_000, channelCount: Int = 2, isInterleaved: Bool = true
    ) {
        self.sampleType = sampleType
        self.sampleRate = min(max(1, sampleRate), 768_000)
        self.channelCount = min(max(1, channelCount), 64)
        self.isInterleaved = isInterleaved
    }

    /// How many bytes the samples of one moment take, of all channels.
    public var bytesPerFrame: Int { sampleType.byteCount * channelCount }

    /// How long so many sample frames last.
    public func duration(ofFrames count: Int) -> MediaTime {
        MediaTime(value: Int64(count), timescale: Int32(sampleRate))
    }
}

extension AudioFormat: CustomStringConvertible {
    /// Such as `48000 Hz, 2 channels, s16`.
    public var description: String {
        let channels = channelCount == 1 ? "1 channel" : "\(channelCount) channels"
        return "\(sampleRate) Hz, \(channels), \(sampleType.rawValue)\(isInterleaved ? "" : " planar")"
    }
}
