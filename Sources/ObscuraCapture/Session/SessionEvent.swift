// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An event of a session.
public enum SessionEvent: Sendable {
    /// All devices have started.
    case started
    /// All devices have stopped: the session was stopped, or every source has ended. In the latter case readers may
    /// still have frames waiting; the end of a loop, or `output(_:didFinishWith:)` of a delegate, follows the last one.
    case stopped
    /// The devices have been released, and the readers wait; see ``CaptureSession/pause()``.
    case paused
    /// The devices run again after a pause.
    case resumed
    /// A device delivers no frames for now; the session waits for it.
    case interrupted(CaptureDevice, InterruptionReason)
    /// A device delivers frames again after an interruption.
    case interruptionEnded(CaptureDevice)
    /// A device failed and does not recover; its readers get the error too.
    case runtimeError(CaptureDevice, ObscuraError)
    /// A change requested without waiting was rejected; nothing has changed.
    case refused(ObscuraError)
    /// The callbacks of these readers still run after a stop has waited for them.
    case stillBusy([String])
}
