// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The memory layout of uncompressed audio, in the machine's byte order.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// The type of one sample.
    public enum SampleType: String, Sendable, Hashable, CaseIterable, Codable {
        /// Signed 16-bit integers; full scale is 32,768.
        case int16 = "s16"
        /// Signed 32-bit integers; full scale is 2,147,483,648.
        case int32 = "s32"
        /// Floating point; full scale is 1.
        case float32 = "f32"

        /// The size of a sample, in bytes.
        public var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    /// The type of one sample.
    public var sampleType: SampleType
    /// Sample frames (one sample of each channel) per second.
    public var sampleRate: Int
    /// The number of channels. The channels have the order of WAVE files: left, right, center, low frequencies, …
    public var channelCount: Int
    /// Whether the samples of one sample frame are adjacent. If not, the samples of each channel are contiguous, one
    /// channel after the other.
    public var isInterleaved: Bool

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - sampleType: the type of each sample.
    ///   - sampleRate: the sample rate in hertz; clamped to 1...768,000.
    ///   - channelCount: the number of channels; clamped to 1...64.
    ///   - isInterleaved: whether the samples of one sample frame are adjacent.
    public init(
        sampleType: SampleType = .float32, sampleRate: Int = 48_000, channelCount: Int = 2, isInterleaved: Bool = true
    ) {
        self.sampleType = sampleType
        self.sampleRate = min(max(1, sampleRate), 768_000)
        self.channelCount = min(max(1, channelCount), 64)
        self.isInterleaved = isInterleaved
    }

    /// The size of one sample frame, in bytes.
    public var bytesPerFrame: Int { sampleType.byteCount * channelCount }

    /// Returns the duration of `count` sample frames.
    public func duration(ofFrames count: Int) -> MediaTime {
        MediaTime(value: Int64(count), timescale: Int32(sampleRate))
    }
}

extension AudioFormat: CustomStringConvertible {
    /// A description such as `48000 Hz, 2 channels, s16`.
    public var description: String {
        let channels = channelCount == 1 ? "1 channel" : "\(channelCount) channels"
        return "\(sampleRate) Hz, \(channels), \(sampleType.rawValue)\(isInterleaved ? "" : " planar")"
    }
}
