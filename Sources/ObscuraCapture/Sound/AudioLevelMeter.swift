// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
public import ObscuraMedia

/// A meter that measures sound levels over time windows of constant length, regardless of the size of the buffers.
public struct AudioLevelMeter: Sendable {
    private let channelCount: Int
    private let sampleRate: Int
    /// The number of sample frames in a reading.
    private let window: Int
    private var count = 0
    private var squares: [Double]
    private var peaks: [Float]
    /// The held peak of each channel in dBFS, and the number of readings since it was reached.
    private var held: [(level: Float, age: Int)]

    /// The time for which a peak is held, in seconds, and the decibels per second by which it falls afterwards.
    private static let hold = 1.5
    private static let fall = 20 / 1.7

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - channelCount: the number of channels, as in the ``AudioFormat``.
    ///   - sampleRate: the sample rate, in hertz.
    ///   - readingsPerSecond: the number of readings per second, one for each time window; 25 for windows of 40 ms.
    public init(channelCount: Int, sampleRate: Int, readingsPerSecond: Int = 25) {
        self.channelCount = max(0, channelCount)
        self.sampleRate = sampleRate
        window = max(1, sampleRate / max(1, readingsPerSecond))
        squares = Array(repeating: 0, count: self.channelCount)
        peaks = Array(repeating: 0, count: self.channelCount)
        held = Array(repeating: (AudioLevel.floor, 0), count: self.channelCount)
    }

    /// Whether the meter can measure sound of this format: its sample rate and number of channels must match.
    public func measures(_ format: AudioFormat) -> Bool {
        format.channelCount == channelCount && format.sampleRate == sampleRate
    }

    /// Measures a buffer. Returns one level for each channel if the buffer completes a time window. If the buffer
    /// completes several windows, returns the levels of the last window. Returns nil if the buffer completes no window,
    /// or if the meter cannot measure its format; see ``measures(_:)``.
    public mutating func add(_ sound: AudioBuffer) -> [AudioLevel]? {
        guard measures(sound.format) else { return nil }
        var reading: [AudioLevel]?
        var begin = 0
        while begin < sound.frameCount {
            let end = min(sound.frameCount, begin + window - count)
            for channel in 0..<channelCount { measure(sound, channel, begin..<end) }
            count += end - begin
            begin = end
            if count == window { reading = takeReading() }
        }
        return reading
    }

    private mutating func measure(_ sound: AudioBuffer, _ channel: Int, _ range: Range<Int>) {
        let format = sound.format
        let stride = format.isInterleaved ? channelCount : 1
        let first = format.isInterleaved ? channel : channel * sound.frameCount
        switch sound.samples {
        case .int16(let samples):
            accumulate(channel, range) { Float(samples[first + $0 * stride]) / 32_768 }
        case .int32(let samples):
            accumulate(channel, range) { Float(samples[first + $0 * stride]) / 2_147_483_648 }
        case .float32(let samples):
            accumulate(channel, range) { samples[first + $0 * stride] }
        }
    }

    @inline(__always)
    private mutating func accumulate(_ channel: Int, _ range: Range<Int>, _ sample: (Int) -> Float) {
        var sum = 0.0
        var peak = peaks[channel]
        for index in range {
            let value = sample(index)
            // NaN from a broken file counts as silence, and must not stay in the sum.
            guard value.isFinite else { continue }
            sum += Double(value) * Double(value)
            peak = max(peak, abs(value))
        }
        squares[channel] += sum
        peaks[channel] = peak
    }

    private mutating func takeReading() -> [AudioLevel] {
        defer {
            count = 0
            for channel in 0..<channelCount {
                squares[channel] = 0
                peaks[channel] = 0
            }
        }
        return (0..<channelCount).map { channel in
            let peak = Self.decibels(Double(peaks[channel]))
            return AudioLevel(
                average: Self.decibels((squares[channel] / Double(window)).squareRoot()), peak: peak,
                peakHold: held(peak, channel))
        }
    }

    /// Returns the held peak after a reading with this peak.
    private mutating func held(_ peak: Float, _ channel: Int) -> Float {
        let reading = Double(window) / Double(max(1, sampleRate))
        var (level, age) = held[channel]
        age += 1
        if Double(age) * reading > Self.hold { level = max(AudioLevel.floor, level - Float(Self.fall * reading)) }
        if peak >= level { (level, age) = (peak, 0) }
        held[channel] = (level, age)
        return level
    }

    private static func decibels(_ amplitude: Double) -> Float {
        // The largest float is at 770 dBFS.
        min(max(AudioLevel.floor, Float(20 * log10(amplitude))), 1000)
    }
}
