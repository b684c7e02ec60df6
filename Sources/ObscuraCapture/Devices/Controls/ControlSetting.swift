// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A setting of a device whose values have an order: its range, its default, and its value.
public struct ControlRange<Value: Comparable & Sendable>: Sendable {
    /// Whether the device has it and lets it be set.
    public let isSupported: Bool
    /// The value; nil where it cannot be read.
    public let value: Value?
    /// From the least to the greatest value.
    public let range: ClosedRange<Value>?
    /// From one value to the next; nil where it takes only ``values``.
    public let step: Value?
    /// The only values that it takes, in order; nil where all steps of the range can be set.
    public let values: [Value]?
    /// The value when nobody has set it; nil where there is no such thing.
    public let defaultValue: Value?
    /// Whether it has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs it at this moment.
    public let disabledBy: String?
}

/// A setting of a device that is one of a few things.
public struct ControlChoice<Value: Hashable & Sendable>: Sendable {
    /// Whether the device has it and lets it be set.
    public var isSupported: Bool { choices.count > 1 }
    /// The value; nil where it cannot be read, or is none of those that have a name here.
    public let value: Value?
    /// What it can be; empty where the device has no such setting.
    public let choices: [Value]
    /// The value when nobody has set it; nil where there is no such thing.
    public let defaultValue: Value?
    /// Whether it has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs it at this moment.
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
