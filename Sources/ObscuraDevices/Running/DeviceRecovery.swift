// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// What is done when a camera gives no frames any more, or a microphone no sound, as a pure value.
///
/// | what happened | told as | what is done |
/// | --- | --- | --- |
/// | unplugged | `deviceDisconnected` | waits until the same device is back, for as long as it takes |
/// | another process has it | `deviceInUse` | waits until it is free |
/// | nothing comes | `stalled` | starts the stream again, more and more patiently |
/// | the stream broke, or its source has changed | `streamFailed` | starts it again, three times; then it is over |
/// | it fails or is forbidden just after the plug | `deviceDisconnected` | tries for 15 s: hubs and udev need time |
/// | another format than before | | it is over |
///
/// A second of good frames, or of sound, makes everything well again.
struct DeviceRecovery: Sendable {
    /// What to do next.
    enum Step: Sendable, Hashable {
        /// Try again after the pause, or sooner when something has changed.
        case retry(reason: InterruptionReason, pause: Duration)
        case end
    }

    private var failures = 0
    private var stalls = 0
    /// How often in a row it was tried in vain.
    private(set) var attempts = 0
    /// When the device was last seen to be away.
    private var missed: HostTime?
    /// Since when good frames, or sound, come.
    private var goodSince: HostTime?

    /// After how many broken streams it is over.
    static let failureLimit = 3
    /// How long a device that came back may fail or be forbidden.
    static let settlingTime = Duration.seconds(15)
    private static let patience = Backoff(first: .seconds(10), limit: .seconds(60))
    private static let pauses = Backoff(first: .milliseconds(100), limit: .milliseconds(1600))
    private static let restarts = Backoff(first: .milliseconds(50), factor: 4, limit: .milliseconds(800))

    /// A good frame, or sound, has come.
    mutating func delivered(at now: HostTime) {
        attempts = 0
        let since = goodSince ?? now
        goodSince = since
        if now - since >= .seconds(1) {
            self = DeviceRecovery()
            goodSince = since
        }
    }

    /// How long a stream may take for its first frame. A grabber that looks for its signal is slow; so it gets
    /// more each time, up to a minute.
    var patience: Duration { Self.patience.delay(after: stalls) }

    /// How long after the beginning of an attempt the next one may begin at the earliest, whatever wakes us:
    /// two who wait for one camera wake each other.
    var shortestPause: Duration { Self.pauses.delay(after: attempts - 1) }

    /// - Parameter error: what ended the stream or the opening; nil says that nothing came.
    mutating func step(after error: ObscuraError?, now: HostTime) -> Step {
        goodSince = nil
        attempts += 1
        guard let error else {
            stalls += 1
            return .retry(reason: .stalled, pause: .milliseconds(100))
        }
        switch error.code {
        case .deviceDisconnected, .noSuchDevice:
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
}
