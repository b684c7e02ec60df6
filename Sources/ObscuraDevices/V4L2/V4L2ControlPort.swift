// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The controls of a node as the kernel reports them, unvalidated.
protocol V4L2ControlPort: Sendable {
    /// Returns the control with the next greater number; nil after the last one.
    ///
    /// - Throws: the errno if the device does not respond.
    func nextControl(after id: UInt32) throws(V4L2Refusal) -> V4L2ControlInfo?
    /// Returns one item of a menu; nil for an unused index.
    func menuItem(of id: UInt32, at index: UInt32, isNumber: Bool) -> V4L2MenuItem?
    /// Returns the current value, or the errno of the failure.
    func value(of id: UInt32, isWide: Bool) -> Result<Int64, V4L2Refusal>
    /// Sets a value. Returns nil if the driver accepted it.
    func setValue(of id: UInt32, to value: Int64, isWide: Bool) -> V4L2Refusal?
}

/// The driver's description of a control.
struct V4L2ControlInfo: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case integer
        case integer64
        case boolean
        case menu
        case integerMenu
        case button
        case bitmask
        case text
        /// A heading in the list, not a control.
        case headline
        /// A control whose value is a structure, or a control of an unknown type.
        case other(UInt32)
    }

    var id: UInt32
    var kind: Kind
    var title: String
    var minimum: Int64 = 0
    var maximum: Int64 = 0
    var step: UInt64 = 1
    var defaultValue: Int64 = 0
    /// Whether it holds several values.
    var isArray = false
    /// Whether the driver has disabled it permanently.
    var isDisabled = false
    var isReadOnly = false
    var isWriteOnly = false
    var isInactive = false
}

/// An item of a menu: a title or a number.
enum V4L2MenuItem: Sendable, Hashable {
    case title(String)
    case number(Int64)
}

/// The errno of a failed call for a control.
struct V4L2Refusal: Error, Sendable, Hashable {
    let errno: Int32
}
