// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The controls of a device, implemented by its driver.
///
/// ``DeviceConfiguration`` validates every value against ``DeviceControl/kind`` before the value is set, and determines
/// which automatic control disables which other control. The methods are called on any thread.
public protocol DeviceControls: Sendable {
    /// Returns the current controls, in the driver's order.
    ///
    /// - Throws: ``ObscuraError`` if the device does not respond. If a single value cannot be read, the
    ///   ``DeviceControl/value`` of that control is nil.
    func controls() throws(ObscuraError) -> [DeviceControl]
    /// Sets a control. Blocks until the device has accepted the value.
    ///
    /// - Parameters:
    ///   - control: one of the controls that ``controls()`` returned.
    ///   - value: a valid value; any value for a button.
    /// - Throws: ``ObscuraError`` if the device rejects the value.
    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError)
}
