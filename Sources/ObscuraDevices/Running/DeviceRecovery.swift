// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The recovery of a camera without frames, or a microphone without sound, as a pure value.
///
/// | cause | reported as | action |
/// | --- | --- | --- |
/// | the device or its portal is disconnected | `deviceDisconnected` | waits for the same device, without a limit |
/// | another process uses it | `deviceInUse` | waits until it is free |
/// | no frames, no undamaged ones or no sound arrive | `stalled` | restarts the stream, with increasing time limits |
/// | the stream fails, or its source changes | `streamFailed` | restarts it three times, then ends |
/// | it fails or lacks permission after connecting | `deviceDisconnected` | retries for 15 s: hubs and udev need time |
/// | it fails, is missing or lacks permission after the machine's sleep | `systemSleep` | retries for 15 s |
/// | the format differs from the former one | | ends |
///
/// ``DeviceRun`` handles the sleep itself, and a locked session: no stream runs meanwhile.
///
/// One second of frames or sound resets all counts.
struct DeviceRecovery: Sendable {
    /// The next action.
    enum Step: Sendable, Hashable {
        /// Retry after the pause, or earlier if the device is connected or released.
        case retry(reason: InterruptionReason, pause: Duration)
        case end
    }

    private var failures = 0
    private var stalls = 0
    /// The number of failed attempts in a row.
    private(set) var attempts = 0
    /// The time when the device was last missing.
    private var missed: HostTime?
    /// The time when the machine last woke up.
    private var woken: HostTime?
    /// The time since which frames or sound arrive.
    private var goodSince: HostTime?

    /// The number of failed streams after which the run ends.
    static let failureLimit = 3
    /// The time for which a reconnected device, or one after the machine's sleep, may fail or lack permission.
    static let settlingTime = Duration.seconds(15)
    /// The errors of a device that the machine has not found again yet.
    private static let settling: Set<ObscuraError.Code> = [
        .deviceDisconnected, .noSuchDevice, .notAuthorized, .deviceFailed, .timedOut, .portalFailed,
    ]
    private static let patience = Backoff(first: .seconds(10), limit: .seconds(60))
    private static let pauses = Backoff(first: .milliseconds(100), limit: .milliseconds(1600))
    private static let restarts = Backoff(first: .milliseconds(50), factor: 4, limit: .milliseconds(800))

    /// Notes a frame or sound.
    mutating func delivered(at now: HostTime) {
        attempts = 0
        let since = goodSince ?? now
        goodSince = since
        if now.nanoseconds(since: since) >= 1_000_000_000 {
            self = DeviceRecovery()
            goodSince = since
        }
    }

    /// Time limit for the first frame of a stream. Increases with each stall, up to a minute, for grabbers that search
    /// for their signal.
    var patience: Duration { Self.patience.delay(after: stalls) }

    /// Minimum time between the starts of two attempts, since two processes that wait for one camera wake each other.
    var shortestPause: Duration { Self.pauses.delay(after: attempts - 1) }

    /// Notes that the machine has woken up: its buses find their devices again within seconds.
    mutating func woke(at now: HostTime) {
        woken = now
    }

    /// Returns the next step after the end of a stream.
    ///
    /// - Parameter error: the error of the stream or the opening; nil for a stall.
    mutating func step(after error: ObscuraError?, now: HostTime) -> Step {
        goodSince = nil
        attempts += 1
        guard let error else {
            stalls += 1
            return .retry(reason: .stalled, pause: .milliseconds(100))
        }
        if isWaking(at: now), Self.settling.contains(error.code) {
            return .retry(reason: .systemSleep, pause: .milliseconds(500))
        }
        switch error.code {
        // The portal fails while PipeWire, or itself, is started again.
        case .deviceDisconnected, .noSuchDevice, .portalFailed:
            missed = now
            return .retry(reason: .deviceDisconnected, pause: .seconds(1))
        case .deviceInUse:
            return .retry(reason: .deviceInUse, pause: .seconds(2))
        case .notAuthorized, .deviceFailed, .timedOut:
            if let missed, now - missed < Self.settlingTime {
                return .retry(reason: .deviceDisconnected, pause: .milliseconds(500))
            }
            guard error.code != .notAuthorized else { return .end }
            failures += 1
            return failures > Self.failureLimit
                ? .end : .retry(reason: .streamFailed, pause: Self.restarts.delay(after: failures - 1))
        default:
            return .end
        }
    }

    private func isWaking(at now: HostTime) -> Bool { woken.map { now - $0 < Self.settlingTime } ?? false }
}
