// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of a device setting with ordered values: its current value, range and default.
public struct ControlRange<Value: Comparable & Sendable>: Sendable {
    /// Whether the device has this setting and the setting can be changed.
    public let isSupported: Bool
    /// The current value; nil if the value cannot be read.
    public let value: Value?
    /// The minimum and maximum; nil if the device has no such setting.
    public let range: ClosedRange<Value>?
    /// The step between valid values; nil if ``values`` lists the valid values, or if the device has no such setting.
    public let step: Value?
    /// The valid values in ascending order. Nil if every step of ``range`` is valid, or if the device has no such
    /// setting.
    public let values: [Value]?
    /// The default value; nil if unknown.
    public let defaultValue: Value?
    /// Whether another control currently disables this setting.
    public let isInactive: Bool
    /// The name of the automatic control that currently disables this setting; nil if the setting is active, or if the
    /// automatic control is unknown.
    public let disabledBy: String?
}

/// The state of a device setting with a list of valid values.
public struct ControlChoice<Value: Hashable & Sendable>: Sendable {
    /// Whether the device offers at least two values for this setting.
    public var isSupported: Bool { choices.count > 1 }
    /// The current value; nil if the value cannot be read, or has no equivalent in `Value`.
    public let value: Value?
    /// The values that can be set; empty if the device has no such setting.
    public let choices: [Value]
    /// The default value; nil if unknown.
    public let defaultValue: Value?
    /// Whether another control currently disables this setting.
    public let isInactive: Bool
    /// The name of the automatic control that currently disables this setting; nil if the setting is active, or if the
    /// automatic control is unknown.
    public let disabledBy: String?

    init(
        _ control: DeviceControl?, choices: [Value], value: Value?, defaultValue: Value?
    ) {
        self.choices = choices
        self.value = value
        self.defaultValue = defaultValue
        isInactive = control?.isInactive ?? false
        disabledBy = control?.disabledBy
    }
}
