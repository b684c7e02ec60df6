// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of one control of a device, as its driver reports it.
///
/// ``DeviceConfiguration`` has typed settings for the common controls. The value is an integer for every ``kind``.
public struct DeviceControl: Sendable, Hashable, Identifiable {
    /// The type of a control's value.
    public enum Kind: Sendable, Hashable {
        /// An integer; a value between two steps is set as the nearest step.
        case integer(ClosedRange<Int64>, step: Int64)
        /// 0 or 1.
        case boolean
        /// The ``Item/index`` of one of these items.
        case menu([Item])
        /// The ``Item/index`` of one of these items, each of which represents a number.
        case integerMenu([Item])
        /// No value; setting it triggers an action.
        case button
        /// Any combination of these bits.
        case bitmask(Int64)
        /// A value that is not an integer, such as a text or an array, with the driver's name of the
        /// type. Can be neither read nor set.
        case unsupported(String)
    }

    /// An item of a menu.
    public struct Item: Sendable, Hashable, Codable {
        /// The value that selects the item. Indexes may have gaps.
        public let index: Int64
        /// The driver's title.
        public let title: String
        /// The number that the item represents, in a menu of numbers.
        public let number: Int64?

        /// Creates an item of a menu.
        public init(index: Int64, title: String, number: Int64? = nil) {
            self.index = index
            self.title = title
            self.number = number
        }
    }

    /// The driver's ID of the control, unique within the device.
    public let id: UInt32
    /// The well-known control that this is, independent of the driver's name for it; nil for any other
    /// control.
    public let identifier: Identifier?
    /// The name in lower case with underscores, as `v4l2-ctl` writes it, unique within the device.
    public let name: String
    /// The driver's title.
    public let title: String
    /// The type of the value.
    public let kind: Kind
    /// The default value; nil if there is none.
    public let defaultValue: Int64?
    /// The value at this moment; nil if it cannot be read.
    public let value: Int64?
    /// Whether the control can only be read.
    public let isReadOnly: Bool
    /// Whether the control has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs this one at this moment; nil if the control is active
    /// or the reason is unknown.
    public internal(set) var disabledBy: String?

    /// Creates a control, for custom drivers.
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
    /// The items of a menu of either kind; nil for other controls.
    public var items: [DeviceControl.Item]? {
        switch self {
        case .menu(let items), .integerMenu(let items): items
        case .integer, .boolean, .button, .bitmask, .unsupported: nil
        }
    }
}
