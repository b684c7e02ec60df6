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
    /// The devices have been closed, and the readers wait; see ``CaptureSession/pause()``.
    case paused
    /// The devices run again after a pause.
    case resumed
    /// A device currently delivers no frames; the session waits for the device.
    case interrupted(CaptureDevice, InterruptionReason)
    /// A device delivers frames again after an interruption.
    case interruptionEnded(CaptureDevice)
    /// A device failed and does not recover; its readers get the error too.
    case runtimeError(CaptureDevice, ObscuraError)
    /// A change requested without waiting was rejected; nothing has changed.
    case refused(ObscuraError)
    /// The callbacks of the readers with these names still run, although ``CaptureSession/stop()`` has waited for them.
    case stillBusy([String])
}
