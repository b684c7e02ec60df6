// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The seam through which a driver offers the controls of its device.
///
/// The heart checks every value against ``DeviceControl/kind`` before it asks for it, and decides which automatic
/// control governs which other one. Any thread.
public protocol DeviceControls: Sendable {
    /// The controls as they are at this moment, in the driver's order.
    ///
    /// - Throws: ``ObscuraError`` when the device does not answer. A single value that cannot be read is nil.
    func controls() throws(ObscuraError) -> [DeviceControl]
    /// Sets one of them. Blocks until the device has taken it.
    ///
    /// - Parameter value: one that the control takes; for a button, anything.
    /// - Throws: ``ObscuraError`` when the device refuses.
    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError)
}
