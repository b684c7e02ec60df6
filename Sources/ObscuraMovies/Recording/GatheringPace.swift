// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Decides for how long copied samples wait to be delivered at once: long enough that threads wake up rarely, and short
/// enough that the samples of a fast stream, such as Motion JPEG in 4K, do not take much memory.
struct GatheringPace: Sendable {
    /// With a fragment of the file, less than the second that a crash may cost.
    static let longest = Duration.milliseconds(500)
    static let shortest = Duration.milliseconds(200)
    /// The number of bytes that may wait, unless they are those of the shortest time.
    static let mostBytes = 1 << 20

    /// The measurement of a track. Each track has its own: all that was gathered of one is delivered before the next one,
    /// so that the times of a recording go back with each delivery.
    private struct Track {
        var begin: HostTime
        var byteCount: Int
        /// Bytes per second in the last measurement; 0 before its end.
        var rate: Double
    }

    /// The time for which samples wait, by the last second of the stream.
    private(set) var interval = shortest
    private var tracks: [SampleTrack: Track] = [:]

    /// Notes a sample.
    ///
    /// - Parameter time: the time of its capture.
    mutating func note(_ byteCount: Int, of track: SampleTrack, at time: HostTime) {
        guard let measured = tracks[track], time >= measured.begin else {
            return tracks[track] = Track(begin: time, byteCount: byteCount, rate: tracks[track]?.rate ?? 0)
        }
        let duration = time - measured.begin
        guard duration >= .seconds(1) else {
            tracks[track]?.byteCount += byteCount
            return
        }
        // Without this sample, which begins the next measurement.
        let rate = Double(measured.byteCount) / (duration / .seconds(1))
        tracks[track] = Track(begin: time, byteCount: byteCount, rate: rate)
        setInterval(for: tracks.values.reduce(0) { $0 + $1.rate })
    }

    private mutating func setInterval(for rate: Double) {
        let found = min(max(Self.shortest, .seconds(Double(Self.mostBytes) / max(1, rate))), Self.longest)
        // A bit rate is never quite constant, and each new interval begins with a delivery.
        if abs((found - interval).wholeNanoseconds) > interval.wholeNanoseconds / 4 { interval = found }
    }
}
