// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A limiter of peaks for interleaved audio, as a value: the output never exceeds full scale. Audio that does not exceed it
/// passes unchanged, sample for sample. Samples that are not finite numbers become silence.
///
/// It looks ahead, so that the gain is low enough when a peak comes, without a step that would be heard as a click: the
/// gain that each sample frame needs is held for the time of the look-ahead, then rises slowly, and its mean over the same
/// time is applied. Each value of that mean is at most the gain that the frame needs, because the frame is in all of the
/// windows. All channels get the same gain, so that the image does not move.
struct PeakLimiter: Sendable {
    /// The look-ahead, and the delay of the output, in seconds.
    static let lookAhead = 0.005
    /// The time in which the gain rises by 63 %, in seconds.
    private static let release = 0.1

    /// The delay of the output, in sample frames.
    let delay: Int
    private let channelCount: Int
    private let rise: Double
    /// The frames that are delayed, as a ring.
    private var delayed: [Float]
    /// The gains that these frames need, and the gains to average, as rings.
    private var needed: [Double]
    private var held: [Double]
    private var place = 0
    private var current = 1.0
    /// How many of the frames need a gain below 1.
    private var peakCount = 0
    /// The sum of the gains to average, and how many of them are below 1.
    private var sum: Double
    private var reducedCount = 0

    init(sampleRate: Int, channelCount: Int) {
        delay = max(1, Int((Self.lookAhead * Double(sampleRate)).rounded()))
        self.channelCount = channelCount
        rise = 1 / (Self.release * Double(sampleRate))
        delayed = [Float](repeating: 0, count: delay * channelCount)
        needed = [Double](repeating: 1, count: delay)
        held = [Double](repeating: 1, count: delay)
        sum = Double(delay)
    }

    /// Returns as many frames as it gets, those of ``delay`` frames before.
    mutating func limit(_ samples: [Float]) -> [Float] {
        var output = samples
        for frame in 0..<samples.count / channelCount {
            let first = frame * channelCount
            var peak: Float = 0
            for index in first..<first + channelCount { peak = max(peak, abs(Self.finite(samples[index]))) }
            let gain = nextGain(needed: peak > 1 ? 1 / Double(peak) : 1)
            let base = place * channelCount
            for channel in 0..<channelCount {
                let sample = delayed[base + channel]
                delayed[base + channel] = Self.finite(samples[first + channel])
                output[first + channel] = gain == 1 ? sample : min(max(-1, Float(Double(sample) * gain)), 1)
            }
            place = (place + 1) % delay
        }
        return output
    }

    /// Returns the sample, or silence for one that is not a finite number, for which there is no gain.
    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

    /// Returns the gain for the frame that leaves.
    ///
    /// - Parameter need: the gain that the frame needs that comes.
    private mutating func nextGain(needed need: Double) -> Double {
        // The frame that leaves is still among them.
        let lowest = peakCount > 0 || need < 1 ? min(need, needed.min() ?? 1) : 1
        peakCount += (need < 1 ? 1 : 0) - (needed[place] < 1 ? 1 : 0)
        needed[place] = need
        current = min(lowest, current + (1 - current) * rise)
        if current > 0.999_999 { current = lowest }
        let old = held[place]
        held[place] = current
        sum += current - old
        reducedCount += (current < 1 ? 1 : 0) - (old < 1 ? 1 : 0)
        guard reducedCount > 0 else {
            // Without what rounding has left.
            sum = Double(delay)
            return 1
        }
        return sum / Double(delay)
    }
}
