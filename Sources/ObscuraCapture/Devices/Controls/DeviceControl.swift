// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of one control of a device, as its driver reports it.
///
/// ``DeviceConfiguration`` has typed settings for the common controls. The value is an integer for every ``kind``.
public struct DeviceControl: Sendable, Hashable, Identifiable {
    /// The type of a control's values.
    public enum Kind: Sendable, Hashable {
        /// Integers; values between steps are rounded to the nearest step.
        case integer(ClosedRange<Int64>, step: Int64)
        /// 0 or 1.
        case boolean
        /// The ``Item/index`` of one of these.
        case menu([Item])
        /// The ``Item/index`` of one of these, which represent numbers.
        case integerMenu([Item])
        /// No value; setting it triggers an action.
        case button
        /// Any of these bits.
        case bitmask(Int64)
        /// Not an integer, such as a text or an array, as named by the driver. Cannot be read or set.
        case unsupported(String)
    }

    /// An item of a menu.
    public struct Item: Sendable, Hashable, Codable {
        /// The value that selects it. Menus can have gaps.
        public let index: Int64
        /// The driver's title.
        public let title: String
        /// The number that it represents in a menu of numbers; nil in another menu.
        public let number: Int64?

        /// Creates an item of a menu.
        public init(index: Int64, title: String, number: Int64? = nil) {
            self.index = index
            self.title = title
            self.number = number
        }
    }

    /// The driver's number for it, unique within the device.
    public let id: UInt32
    /// The identifier of a well-known control, regardless of the driver's name for it; nil for another control.
    public let identifier: Identifier?
    /// The name in lower case with underscores, as `v4l2-ctl` writes it, unique within the device.
    public let name: String
    /// The driver's title.
    public let title: String
    /// The type of its values.
    public let kind: Kind
    /// The default value; nil if there is none.
    public let defaultValue: Int64?
    /// The current value; nil if it cannot be read.
    public let value: Int64?
    /// Whether it cannot be set.
    public let isReadOnly: Bool
    /// Whether another control currently disables it.
    public let isInactive: Bool
    /// The name of the automatic control that currently disables it; nil if it is active, or the control is unknown.
    public internal(set) var disabledBy: String?

    /// Creates a control, for a custom driver.
    public init(
        id: UInt32, identifier: Identifier? = nil, name: String, title: String, kind: Kind, defaultValue: Int64? = nil,
        value: Int64? = nil, isReadOnly: Bool = false, isInactive: Bool = false
    ) {
        self.id = id
        self.identifier = identifier
        self.name = name
        self.title = title
        self.kind = kind
        self.defaultValue = defaultValue
        self.value = value
        self.isReadOnly = isReadOnly
        self.isInactive = isInactive
    }
}

extension DeviceControl.Kind {
    /// The items of either kind of menu; nil for another type.
    public var items: [DeviceControl.Item]? {
        switch self {
        case .menu(let items), .integerMenu(let items): items
        case .integer, .boolean, .button, .bitmask, .unsupported: nil
        }
    }
}
