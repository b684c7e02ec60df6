// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A limit of one frame per interval, on a schedule: 30 frames per second become exactly 10, or exactly one, every
/// 30th. A pure value.
///
/// Camera timestamps jitter, so the frame nearest to the scheduled time passes: it may be early by half the time
/// between two frames, but by no more than a tenth of the interval.
struct RateLimit: Sendable {
    let interval: MediaTime
    private var due: MediaTime?
    private var last: MediaTime?

    init(interval: MediaTime) {
        self.interval = interval
    }

    /// Whether the frame at `time` passes. Must be called for each frame, in order.
    mutating func admits(_ time: MediaTime) -> Bool {
        defer { last = time }
        guard interval > .zero else { return true }
        guard let due, let last, time >= last else {
            // The first frame, or a step back in time (a loop, a seek), starts a schedule.
            due = time + interval
            return true
        }
        let early = due - time
        guard early * 10 <= interval, early * 2 <= time - last else { return false }
        self.due = time - due > interval ? time + interval : due + interval
        return true
    }
}
