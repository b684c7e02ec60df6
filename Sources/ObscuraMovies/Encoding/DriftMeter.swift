// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Measures how much the clock of audio deviates from its times, as a pure value.
struct DriftMeter: Sendable {
    /// The shortest measurement, in seconds. In a shorter one, jitter of a millisecond would look like drift.
    private static let shortest: Int64 = 10

    private let sampleRate: Int64
    private var last: (place: Int64, count: Int64)?
    /// The sample frames that followed each other, and the time for which they did, in sample frames.
    private var sampleFrames: Int64 = 0
    private var time: Int64 = 0

    init(sampleRate: Int) {
        self.sampleRate = Int64(sampleRate)
    }

    /// The deviation in parts per million, positive for a fast clock; nil with less than 10 s of audio.
    var drift: Double? {
        guard time >= Self.shortest * sampleRate else { return nil }
        return (Double(sampleFrames) / Double(time) - 1) * 1_000_000
    }

    /// Notes a buffer that continues the one before, if there is any.
    ///
    /// - Parameter place: the time of its first sample, in sample frames.
    mutating func note(_ place: Int64, count: Int) {
        if let last {
            sampleFrames += last.count
            time += place - last.place
        }
        last = (place, Int64(count))
    }

    /// Begins again with the next buffer, which does not continue the one before.
    mutating func interrupt() {
        last = nil
    }
}
