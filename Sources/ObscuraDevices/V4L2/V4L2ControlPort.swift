// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The controls of one node, as the kernel's calls have them, before anything is believed.
protocol V4L2ControlPort: Sendable {
    /// The control with the next greater number, as the driver says; nil after the last one, or where the driver has
    /// none.
    ///
    /// - Throws: the refusal, when the device does not answer.
    func nextControl(after id: UInt32) throws(V4L2Refusal) -> V4L2ControlInfo?
    /// One item of a menu; nil for a hole.
    func menuItem(of id: UInt32, at index: UInt32, isNumber: Bool) -> V4L2MenuItem?
    /// The value at this moment, or the `errno` of the refusal.
    func value(of id: UInt32, isWide: Bool) -> Result<Int64, V4L2Refusal>
    /// Sets a value; nil if the driver took it.
    func setValue(of id: UInt32, to value: Int64, isWide: Bool) -> V4L2Refusal?
}

/// What the driver says of a control.
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
        /// A headline in the list, not a control.
        case headline
        /// A structure, or what is younger than this program.
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
    /// Whether the driver has it only in principle.
    var isDisabled = false
    var isReadOnly = false
    var isWriteOnly = false
    var isInactive = false
}

/// A choice of a menu: words, or a number.
enum V4L2MenuItem: Sendable, Hashable {
    case title(String)
    case number(Int64)
}

/// The kernel's word for why not.
struct V4L2Refusal: Error, Sendable, Hashable {
    let errno: Int32
}
