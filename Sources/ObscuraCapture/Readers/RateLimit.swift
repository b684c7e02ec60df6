// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Thins frames out to at most one in an interval, on a schedule: 30 frames a second become exactly 10, and
/// one a second is every 30th. A pure value.
///
/// The stamps of cameras tremble, so the frame that is nearest to its moment passes: it may come early by half
/// the time between two frames, but never by more than a tenth of the interval.
struct RateLimit: Sendable {
    let interval: MediaTime
    private var due: MediaTime?
    private var last: MediaTime?

    init(interval: MediaTime) {
        self.interval = interval
    }

    /// Whether the frame at `time` passes. Asked for each frame, in order.
    mutating func admits(_ time: MediaTime) -> Bool {
        defer { last = time }
        guard interval > .zero else { return true }
        guard let due, let last, time >= last else {
            // The first frame, or a step back in time (a loop, a jump), begins a schedule.
            due = time + interval
            return true
        }
        let early = due - time
        guard early * 10 <= interval, early * 2 <= time - last else { return false }
        self.due = time - due > interval ? time + interval : due + interval
        return true
    }
}
