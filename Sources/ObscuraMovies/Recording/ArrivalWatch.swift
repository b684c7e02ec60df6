// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Notices that the frames of a recording no longer arrive, and that they arrive again, as a pure value.
struct ArrivalWatch: Sendable {
    /// The time without a frame that counts as a gap.
    let patience: Duration
    private var last: HostTime?
    /// The recorded duration at the beginning of the current gap; nil outside of one.
    private(set) var gapStart: MediaTime?

    init(patience: Duration) {
        self.patience = patience
    }

    /// Notes a frame. Returns the gap that it ends, if it was noticed.
    mutating func arrive(at time: HostTime) -> RecordingResult.Gap? {
        defer {
            last = time
            gapStart = nil
        }
        guard let last, let gapStart else { return nil }
        return RecordingResult.Gap(start: gapStart, duration: time - last)
    }

    /// Notes a pause, in which no frame is expected.
    mutating func forget() {
        (last, gapStart) = (nil, nil)
    }

    /// Looks whether frames are missing. Returns true once for each gap.
    ///
    /// - Parameter recorded: the duration of the recording so far.
    mutating func beginsGap(at now: HostTime, recorded: MediaTime) -> Bool {
        guard let last, gapStart == nil, now - last >= patience else { return false }
        gapStart = recorded
        return true
    }

    /// The time after which to look again.
    func delay(at now: HostTime) -> Duration {
        guard let last, gapStart == nil else { return patience }
        return max(.milliseconds(1), last + patience - now)
    }
}
