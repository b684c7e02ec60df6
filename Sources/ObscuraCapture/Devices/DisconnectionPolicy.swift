// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDeviceInput {
    /// The reaction of a session to a device that is disconnected while it runs.
    public enum DisconnectionPolicy: Sendable {
        /// Waits until the same device is connected again, and continues with it; its readers wait as well.
        case wait
        /// Ends the readers with ``ObscuraError/Code/deviceDisconnected``, and the session if there is no
        /// other device.
        case end
        /// Replaces the device by the one that the closure returns; nil waits. Called on the session's thread.
        case switchTo(@Sendable (_ lost: CaptureDevice) -> CaptureDevice?)
    }
}
