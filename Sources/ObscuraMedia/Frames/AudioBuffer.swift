// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A buffer of audio samples, with timestamps.
///
/// A value type: copies share the samples until one of them is changed.
public struct AudioBuffer: Sendable {
    /// The samples: `frameCount * channelCount` values. The sample of channel `c` in sample frame `i` is at index
    /// `i * channelCount + c` if the format is interleaved, else `c * frameCount + i`.
    public enum Samples: Sendable, Hashable {
        /// Signed 16-bit integers.
        case int16([Int16])
        /// Signed 32-bit integers.
        case int32([Int32])
        /// 32-bit floating point; full scale is -1 to 1.
        case float32([Float])

        /// The number of samples of all channels.
        public var count: Int {
            switch self {
            case .int16(let samples): samples.count
            case .int32(let samples): samples.count
            case .float32(let samples): samples.count
            }
        }

        /// The type of one sample.
        public var type: AudioFormat.SampleType {
            switch self {
            case .int16: .int16
            case .int32: .int32
            case .float32: .float32
            }
        }
    }

    /// Properties of an audio buffer other than its samples and times.
    public struct Attachments: Sendable, Hashable {
        /// The number of sample frames that the driver lost just before this buffer (an overrun).
        public var gap: UInt64 = 0
        /// Whether the buffer does not continue the previous buffer, for example after a change of the device or a
        /// seek.
        public var isDiscontinuity = false
        /// Whether the times of the buffer are estimated from the time of reading, because the driver provided no
        /// timestamp.
        public var isTimeEstimated = false
        /// The time at which the buffer was dequeued from the driver, on CLOCK_MONOTONIC; nil if unknown.
        public var dequeueTime: HostTime?
        /// The measured deviation of the device's clock from CLOCK_MONOTONIC, in parts per million; positive if the
        /// device is fast. Nil if unknown, as for a file.
        public var clockDrift: Double?

        /// Creates attachments with default values.
        public init() {}
    }

    /// The format of the samples.
    public let format: AudioFormat
    /// The number of sample frames.
    public let frameCount: Int
    /// The samples.
    public let samples: Samples
    /// The presentation time of the first sample, on the timeline of the source: the timestamp on CLOCK_MONOTONIC for a
    /// live device, the time in the file for a file.
    public var presentationTime: MediaTime
    /// The time of the first sample on CLOCK_MONOTONIC: the time of capture for a live source, the time of playback for
    /// a file.
    public var hostTime: HostTime
    /// The index of the first sample frame, counted from 0 when the device starts. If the index is beyond the end of
    /// the previous buffer, the driver lost the sample frames in between.
    public var position: UInt64
    /// Other properties of the buffer.
    public var attachments: Attachments

    /// Creates a buffer, for drivers, decoders and tests.
    ///
    /// - Parameters:
    ///   - format: the sample rate, the number of channels and the order of the samples.
    ///   - samples: the samples; their type replaces the sample type of `format`. Samples after the last complete
    ///     sample frame are dropped.
    ///   - presentationTime: the time of the first sample, on the timeline of the source.
    ///   - hostTime: the time of the first sample, on CLOCK_MONOTONIC.
    ///   - position: the index of the first sample frame, counted from 0 when the device starts.
    ///   - attachments: other properties of the buffer.
    public init(
        format: AudioFormat, samples: Samples, presentationTime: MediaTime, hostTime: HostTime, position: UInt64 = 0,
        attachments: Attachments = Attachments()
    ) {
        var format = format
        format.sampleType = samples.type
        self.format = format
        frameCount = samples.count / format.channelCount
        self.samples = samples.prefix(frameCount * format.channelCount)
        self.presentationTime = presentationTime
        self.hostTime = hostTime
        self.position = position
        self.attachments = attachments
    }

    /// The duration of the buffer.
    public var duration: MediaTime { format.duration(ofFrames: frameCount) }

    /// Returns the sample of a channel in a sample frame, converted to floating point; full scale is -1 to 1.
    ///
    /// - Precondition: `frame` is in `0..<frameCount`, `channel` in `0..<format.channelCount`.
    public subscript(frame frame: Int, channel channel: Int) -> Float {
        precondition(frame >= 0 && frame < frameCount && channel >= 0 && channel < format.channelCount)
        let index = format.isInterleaved ? frame * format.channelCount + channel : channel * frameCount + frame
        return switch samples {
        case .int16(let samples): Float(samples[index]) / 32_768
        case .int32(let samples): Float(Double(samples[index]) / 2_147_483_648)
        case .float32(let samples): samples[index]
        }
    }
}

extension AudioBuffer.Samples {
    fileprivate func prefix(_ count: Int) -> Self {
        guard count < self.count else { return self }
        return switch self {
        case .int16(let samples): .int16(Array(samples.prefix(count)))
        case .int32(let samples): .int32(Array(samples.prefix(count)))
        case .float32(let samples): .float32(Array(samples.prefix(count)))
        }
    }
}
