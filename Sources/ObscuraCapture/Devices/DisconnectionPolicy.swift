// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDeviceInput {
    /// The reaction of a session if a device is disconnected while the session runs.
    public enum DisconnectionPolicy: Sendable {
        /// Waits until the same device is connected again, and continues with that device. Meanwhile the readers of the
        /// device wait.
        case wait
        /// Ends the readers of the device with ``ObscuraError/Code/deviceDisconnected``. If no other device runs, the
        /// session stops.
        case end
        /// Replaces the lost device with the device that the closure returns. If the closure returns nil, the session
        /// waits as with `wait`. The closure is called on the session's thread.
        case switchTo(@Sendable (_ lost: CaptureDevice) -> CaptureDevice?)
    }
}
