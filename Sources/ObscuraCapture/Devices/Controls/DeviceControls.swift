// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The controls of a device, implemented by its driver.
///
/// ``DeviceConfiguration`` validates every value against ``DeviceControl/kind`` before it is set, and determines which
/// automatic control disables which other control. Called on any thread.
public protocol DeviceControls: Sendable {
    /// Returns the current controls, in the driver's order.
    ///
    /// - Throws: ``ObscuraError`` if the device does not respond. A single value that cannot be read is nil.
    func controls() throws(ObscuraError) -> [DeviceControl]
    /// Sets a control. Blocks until the device has accepted the value.
    ///
    /// - Parameters:
    ///   - control: one of ``controls()``.
    ///   - value: a valid value; any value for a button.
    /// - Throws: ``ObscuraError`` if the device rejects it.
    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError)
}
