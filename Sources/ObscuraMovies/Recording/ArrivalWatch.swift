// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Notices that the frames of a recording no longer arrive, and that they arrive again, as a pure value.
struct ArrivalWatch: Sendable {
    /// The time after which to look again while samples are being handled.
    private static let handlingDelay = Duration.milliseconds(100)

    /// The time without a frame that counts as a gap.
    let patience: Duration
    /// The time for which frames are gathered before they are noted.
    var gathering = Duration.zero
    private var last: HostTime?
    /// The time since which no frame was noted, without the time in which samples were handled.
    private var silentSince: HostTime?
    /// Number of samples that are being handled.
    private var handled = 0
    /// The recorded duration at the beginning of the current gap; nil outside of one.
    private(set) var gapStart: MediaTime?

    init(patience: Duration) {
        self.patience = patience
    }

    /// Notes a frame. Returns the gap that it ends, if it was noticed.
    ///
    /// - Parameters:
    ///   - time: the time at which its driver received it.
    ///   - now: the current time, which is later if the frame waited.
    mutating func arrive(at time: HostTime, noted now: HostTime) -> RecordingResult.Gap? {
        defer { (last, silentSince, gapStart) = (time, now, nil) }
        guard let last, let gapStart else { return nil }
        return RecordingResult.Gap(start: gapStart, duration: time - last)
    }

    /// Notes that a sample is being handled: further frames may wait, because the encoder or the disk is behind.
    mutating func beginHandling() { handled += 1 }

    /// Notes that a sample was handled.
    mutating func endHandling(after duration: Duration, at now: HostTime) {
        handled -= 1
        silentSince = silentSince.map { min($0 + duration, now) }
    }

    /// Notes a pause, in which no frame is expected.
    mutating func forget() {
        (last, silentSince, gapStart) = (nil, nil, nil)
    }

    /// Looks whether frames are missing. Returns true once for each gap.
    ///
    /// - Parameter recorded: the duration of the recording so far.
    mutating func beginsGap(at now: HostTime, recorded: MediaTime) -> Bool {
        guard let silentSince, gapStart == nil, handled == 0, now - silentSince >= patience + gathering else {
            return false
        }
        gapStart = recorded
        return true
    }

    /// The time after which to look again.
    func delay(at now: HostTime) -> Duration {
        guard let silentSince, gapStart == nil else { return patience }
        return max(handled > 0 ? Self.handlingDelay : .milliseconds(1), silentSince + patience + gathering - now)
    }
}
