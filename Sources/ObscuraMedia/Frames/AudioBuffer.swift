// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A stretch of sound, and when it was.
///
/// A value: copies share the samples until one of them is changed.
public struct AudioBuffer: Sendable {
    /// The samples themselves, `frameCount * channelCount` of them. Interleaved, the sample of channel `c` at the
    /// moment `i` is number `i * channelCount + c`; planar, it is number `c * frameCount + i`.
    public enum Samples: Sendable, Hashable {
        case int16([Int16])
        case int32([Int32])
        case float32([Float])

        /// How many there are, of all channels.
        public var count: Int {
            switch self {
            case .int16(let samples): samples.count
            case .int32(let samples): samples.count
            case .float32(let samples): samples.count
            }
        }

        /// What one of them is.
        public var type: AudioFormat.SampleType {
            switch self {
            case .int16: .int16
            case .int32: .int32
            case .float32: .float32
            }
        }
    }

    /// What a source knows about a stretch of sound beside its samples and times.
    public struct Attachments: Sendable, Hashable {
        /// How many sample frames the driver lost just before these (an overrun).
        public var gap: UInt64 = 0
        /// Whether it does not follow what came before: another device, another place in a file.
        public var isDiscontinuity = false
        /// Whether the driver gave no stamp, and the times were taken when it was read.
        public var isTimeEstimated = false
        /// When it was taken from the driver.
        public var dequeueTime: HostTime?

        /// Nothing is known.
        public init() {}
    }

    /// How the samples lie in memory.
    public let format: AudioFormat
    /// How many sample frames there are.
    public let frameCount: Int
    /// The samples.
    public let samples: Samples
    /// When the first sample is to be heard, on the timeline of its source: for a live device its stamp on
    /// CLOCK_MONOTONIC, for a file the file's own time.
    public var presentationTime: MediaTime
    /// When the first sample was taken (live) or due (file), on CLOCK_MONOTONIC.
    public var hostTime: HostTime
    /// The number of the first sample frame, from 0 where the device began. What lies between the end of one buffer
    /// and the beginning of the next was lost by the driver.
    public var position: UInt64
    /// What else is known about it.
    public var attachments: Attachments

    /// - Parameter samples: their type goes before that of `format`. Those beyond the last whole sample frame are
    ///   left out.
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

    /// How long it lasts.
    public var duration: MediaTime { format.duration(ofFrames: frameCount) }

    /// The sample of a channel at a moment, as a number with full scale 1.
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
