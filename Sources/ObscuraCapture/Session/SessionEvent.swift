// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What happens to a session.
public enum SessionEvent: Sendable {
    /// All devices run.
    case started
    /// No device runs any more: it was stopped, or every source is at its end.
    case stopped
    /// The devices were given back, and the readers wait; see ``CaptureSession/pause()``.
    case paused
    /// The devices run again after a pause.
    case resumed
    /// A device gives no frames for a while; the session waits for it.
    case interrupted(CaptureDevice, InterruptionReason)
    /// A device gives frames again.
    case interruptionEnded(CaptureDevice)
    /// A device failed for good; its readers are told as well.
    case runtimeError(CaptureDevice, ObscuraError)
    /// A change that was asked for without waiting for it was refused; all is as before.
    case refused(ObscuraError)
    /// A stop waited for these readers' callbacks, and they still run.
    case stillBusy([String])
}
