// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDeviceInput {
    /// What a session does when a device is unplugged while it runs.
    public enum DisconnectionPolicy: Sendable {
        /// Waits until the same device is back, and goes on with it; its readers wait as well.
        case wait
        /// Ends the readers with ``ObscuraError/Code/deviceDisconnected``, and the session if there is no
        /// other device.
        case end
        /// Takes the device that the closure names in its place; nil waits. Called on the session's thread.
        case switchTo(@Sendable (_ lost: CaptureDevice) -> CaptureDevice?)
    }
}
