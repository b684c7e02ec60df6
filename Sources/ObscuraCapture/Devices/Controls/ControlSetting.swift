// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A device setting with ordered values: its range, default value and current value.
public struct ControlRange<Value: Comparable & Sendable>: Sendable {
    /// Whether the device has the setting and accepts changes of it.
    public let isSupported: Bool
    /// The current value; nil if it cannot be read.
    public let value: Value?
    /// The smallest and the largest value.
    public let range: ClosedRange<Value>?
    /// The distance between values; nil if only ``values`` are accepted.
    public let step: Value?
    /// The only accepted values, in order; nil if every step of the range is accepted.
    public let values: [Value]?
    /// The default value; nil if there is none.
    public let defaultValue: Value?
    /// Whether the setting has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs the setting at this moment.
    public let disabledBy: String?
}

/// A device setting with a fixed set of values.
public struct ControlChoice<Value: Hashable & Sendable>: Sendable {
    /// Whether the device has the setting and accepts changes of it.
    public var isSupported: Bool { choices.count > 1 }
    /// The current value; nil if it cannot be read, or is not one of the known values.
    public let value: Value?
    /// The accepted values; empty if the device does not have the setting.
    public let choices: [Value]
    /// The default value; nil if there is none.
    public let defaultValue: Value?
    /// Whether the setting has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs the setting at this moment.
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
