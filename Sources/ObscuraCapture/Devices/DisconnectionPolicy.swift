// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDeviceInput {
    /// The session's action when a device is unplugged while it runs.
    public enum DisconnectionPolicy: Sendable {
        /// Waits until the same device is back, then continues with it; the readers wait as well.
        case wait
        /// Ends the readers with ``ObscuraError/Code/deviceDisconnected``, and the session if there is no
        /// other device.
        case end
        /// Continues with the device that the closure returns; waits if it returns nil. Called on the
        /// session's thread.
        case switchTo(@Sendable (_ lost: CaptureDevice) -> CaptureDevice?)
    }
}
