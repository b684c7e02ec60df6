// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// What is done when a camera stops giving frames, as a pure value.
///
/// | what happened | told as | what is done |
/// | --- | --- | --- |
/// | unplugged | `deviceDisconnected` | waits until the same camera is back, for as long as it takes |
/// | another process has it | `deviceInUse` | waits until it is free |
/// | no right to it any more | `deviceDisconnected` | waits: udev gives the right a moment after the plug |
/// | no frames | `stalled` | starts the stream again, with longer and longer pauses |
/// | the stream broke | `streamFailed` | starts it again, three times; then it is over |
/// | another mode than before | | it is over |
struct V4L2Recovery: Sendable {
    /// What to do next.
    enum Step: Sendable, Hashable {
        /// Try again after the pause, or sooner when something has changed.
        case retry(reason: InterruptionReason, pause: Duration)
        case end
    }

    private var failures = 0
    private var refusals = 0

    /// After how many broken streams without a single frame it is over.
    static let failureLimit = 3
    /// How often the right is looked for, once in `.milliseconds(500)`.
    static let refusalLimit = 20

    /// Frames come: whatever was wrong is over.
    mutating func delivered() {
        self = V4L2Recovery()
    }

    /// - Parameter error: what ended the stream or the opening; nil says that no frames came.
    mutating func step(after error: CaptureError?) -> Step {
        guard let error else {
            failures += 1
            return .retry(reason: .stalled, pause: .milliseconds(min(5000, 100 << min(failures - 1, 6))))
        }
        switch error.code {
        case .deviceDisconnected, .noSuchDevice:
            refusals = 0
            return .retry(reason: .deviceDisconnected, pause: .milliseconds(500))
        case .deviceInUse:
            return .retry(reason: .deviceInUse, pause: .seconds(2))
        case .notAuthorized:
            refusals += 1
            return refusals > Self.refusalLimit
                ? .end : .retry(reason: .deviceDisconnected, pause: .milliseconds(500))
        case .deviceFailed:
            failures += 1
            return failures > Self.failureLimit
                ? .end : .retry(reason: .streamFailed, pause: .milliseconds(50 << (2 * (failures - 1))))
        default:
            return .end
        }
    }
}
