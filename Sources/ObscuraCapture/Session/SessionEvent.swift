// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An event of a session.
public enum SessionEvent: Sendable {
    /// All devices have started.
    case started
    /// All devices have stopped: the session was stopped, or every source has ended.
    ///
    /// If every source has ended, loops and delegates may still get queued frames. After the last queued frame, a loop
    /// ends, and `output(_:didFinishWith:)` of a delegate is called.
    case stopped
    /// The devices have been closed until the session is resumed; see ``CaptureSession/pause()``.
    case paused
    /// The devices run again after a pause.
    case resumed
    /// A device currently delivers no frames; the session waits for the device.
    case interrupted(CaptureDevice, InterruptionReason)
    /// A device delivers frames again after an interruption.
    case interruptionEnded(CaptureDevice)
    /// A device failed and does not recover. The readers of the device also get the error.
    case runtimeError(CaptureDevice, ObscuraError)
    /// A change in the background failed, such as the switch to another camera after a disconnection. The session is
    /// unchanged.
    case refused(ObscuraError)
    /// The callbacks of the readers with these names still run, although ``CaptureSession/stop()`` has waited two
    /// seconds.
    case stillBusy([String])
}
