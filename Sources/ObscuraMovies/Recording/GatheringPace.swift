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

    /// The time for which samples wait, by the last second of the stream.
    private(set) var interval = shortest
    private var measured: (begin: HostTime, byteCount: Int)?

    /// Notes a sample.
    ///
    /// - Parameter time: the time of its capture.
    mutating func note(_ byteCount: Int, at time: HostTime) {
        guard let measured, time >= measured.begin else { return self.measured = (time, byteCount) }
        self.measured?.byteCount += byteCount
        let duration = time - measured.begin
        guard duration >= .seconds(1) else { return }
        // Without this sample, which begins the next measurement.
        let found = min(max(Self.shortest, duration * Self.mostBytes / max(1, measured.byteCount)), Self.longest)
        // A bit rate is never quite constant, and each new interval begins with a delivery.
        if abs((found - interval).wholeNanoseconds) > interval.wholeNanoseconds / 4 { interval = found }
        self.measured = (time, byteCount)
    }
}
