// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDeviceInput {
    /// The reaction of a session to a device that is disconnected while it runs.
    public enum DisconnectionPolicy: Sendable {
        /// Waits until the same device is connected again, and continues with that device; the readers wait as well.
        case wait
        /// Ends the readers of the device with ``ObscuraError/Code/deviceDisconnected``, and also stops the session if
        /// no other device runs.
        case end
        /// Replaces the lost device with the device that the closure returns; if it returns nil, the session waits as
        /// with `wait`. The closure is called on the session's thread.
        case switchTo(@Sendable (_ lost: CaptureDevice) -> CaptureDevice?)
    }
}
