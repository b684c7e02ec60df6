// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The time by which a stream must deliver, or it is stalled.
struct StallDeadline {
    private static let patience = Duration.seconds(3)

    private(set) var time: HostTime
    /// In nanoseconds, since the arithmetic of a `Duration` is slow and each delivery restarts the wait.
    private let limit: Int64

    /// Begins the wait for the first delivery of a stream. Later ones may take 3 s, at low rates five frame durations.
    ///
    /// - Parameters:
    ///   - frameRate: the rate of the frames; nil for sound, or if it is unknown.
    ///   - first: the time that the first delivery may take, if it is longer.
    init(frameRate: FrameRate? = nil, first: Duration) {
        let limit = max(Self.patience, (frameRate?.frameDuration.duration ?? .zero) * 5)
        self.limit = limit.wholeNanoseconds
        time = .now + max(limit, first)
    }

    /// Begins the wait for the next delivery.
    mutating func restart() {
        time = .now.advanced(byNanoseconds: limit)
    }
}
