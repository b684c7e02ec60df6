// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of one control of a device, as its driver reports it.
///
/// ``DeviceConfiguration`` has typed settings for the common controls. The value is an integer for every ``kind``.
public struct DeviceControl: Sendable, Hashable, Identifiable {
    /// What values a control takes.
    public enum Kind: Sendable, Hashable {
        /// Whole numbers; of those between the steps the nearest step counts.
        case integer(ClosedRange<Int64>, step: Int64)
        /// 0 or 1.
        case boolean
        /// The ``Item/index`` of one of these.
        case menu([Item])
        /// The ``Item/index`` of one of these, each of which stands for a number.
        case integerMenu([Item])
        /// Has no value; something happens when it is set.
        case button
        /// Any of these bits.
        case bitmask(Int64)
        /// Something that is no whole number, such as a text or an array, in the words of the driver's kind.
        /// Can neither be read nor set here.
        case unsupported(String)
    }

    /// One choice of a menu.
    public struct Item: Sendable, Hashable, Codable {
        /// By what it is chosen. Menus can have holes.
        public let index: Int64
        /// The driver's words.
        public let title: String
        /// What it stands for, in a menu of numbers.
        public let number: Int64?

        /// A choice of a menu.
        public init(index: Int64, title: String, number: Int64? = nil) {
            self.index = index
            self.title = title
            self.number = number
        }
    }

    /// The driver's number for it; no other control of the device has it.
    public let id: UInt32
    /// What it is, where that is one of the well-known; it is the same whatever the driver calls it.
    public let identifier: Identifier?
    /// Its name in lower case with underscores, as `v4l2-ctl` writes it; no other control of the device has it.
    public let name: String
    /// The driver's words for it.
    public let title: String
    /// What values it takes.
    public let kind: Kind
    /// The value that it has when nobody has set it; nil where there is no such thing.
    public let defaultValue: Int64?
    /// The value at this moment; nil where it cannot be read.
    public let value: Int64?
    /// Whether it only tells something, and cannot be set.
    public let isReadOnly: Bool
    /// Whether it has no effect at this moment, because of another control.
    public let isInactive: Bool
    /// The name of the automatic control that governs it at this moment; nil where it is active, or where the
    /// reason is not known.
    public internal(set) var disabledBy: String?

    /// A control, for drivers of one's own.
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
    /// The choices of a menu of either kind; nil for what is no menu.
    public var items: [DeviceControl.Item]? {
        switch self {
        case .menu(let items), .integerMenu(let items): items
        case .integer, .boolean, .button, .bitmask, .unsupported: nil
        }
    }
}
