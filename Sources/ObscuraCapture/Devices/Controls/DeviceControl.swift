// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of one control of a device, as reported by the driver.
///
/// The value is always an integer, whose meaning depends on the ``kind``. For common controls, ``DeviceConfiguration``
/// has settings with typed values.
public struct DeviceControl: Sendable, Hashable, Identifiable {
    /// The type of a control's values.
    public enum Kind: Sendable, Hashable {
        /// An integer in the range. A value between two steps is rounded to the nearest step.
        case integer(ClosedRange<Int64>, step: Int64)
        /// A switch: 0 (off) or 1 (on).
        case boolean
        /// A menu: the value is the ``Item/index`` of one of these items.
        case menu([Item])
        /// A menu of numbers: the value is the ``Item/index`` of one of these items, not the ``Item/number``.
        case integerMenu([Item])
        /// A button without a value: setting the control triggers an action.
        case button
        /// Flags: any combination of the bits in this mask.
        case bitmask(Int64)
        /// A type that cannot be read or set. The string describes the type, such as `an array`.
        case unsupported(String)
    }

    /// An item of a menu.
    public struct Item: Sendable, Hashable, Codable {
        /// The value that selects the item. The indexes of a menu need not be consecutive.
        public let index: Int64
        /// The title of the item, from the driver.
        public let title: String
        /// The number that the item represents in a menu of numbers; nil in other menus.
        public let number: Int64?

        /// Creates an item of a menu.
        public init(index: Int64, title: String, number: Int64? = nil) {
            self.index = index
            self.title = title
            self.number = number
        }
    }

    /// The number of the control in the driver, unique within the device.
    public let id: UInt32
    /// The identifier of a well-known control, which is the same for all drivers; nil for other controls.
    public let identifier: Identifier?
    /// The name in lower case with underscores, as `v4l2-ctl` writes it, unique within the device.
    public let name: String
    /// The display name of the control, from the driver.
    public let title: String
    /// The type of the control's values.
    public let kind: Kind
    /// The default value; nil if unknown.
    public let defaultValue: Int64?
    /// The current value; nil if it cannot be read.
    public let value: Int64?
    /// Whether the control cannot be set.
    public let isReadOnly: Bool
    /// Whether another control currently disables this control.
    public let isInactive: Bool
    /// The name of the automatic control that currently disables this control; nil if this control is active, or if the
    /// automatic control is unknown.
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
    /// The items of a ``menu(_:)`` or ``integerMenu(_:)``; nil for other types.
    public var items: [DeviceControl.Item]? {
        switch self {
        case .menu(let items), .integerMenu(let items): items
        case .integer, .boolean, .button, .bitmask, .unsupported: nil
        }
    }
}
