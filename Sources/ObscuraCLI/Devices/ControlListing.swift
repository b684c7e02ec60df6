// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A control in the list, and as a `--json` object.
struct ControlListing: Codable, Hashable {
    let name: String
    let title: String
    /// `integer`, `boolean`, `menu`, `integerMenu`, `button`, `bitmask` or `unsupported`.
    let kind: String
    /// Missing if the value cannot be read.
    let value: Int64?
    let defaultValue: Int64?
    let minimum: Int64?
    let maximum: Int64?
    let step: Int64?
    /// The items of a menu.
    let items: [DeviceControl.Item]?
    let isReadOnly: Bool
    let isInactive: Bool
    /// The control that governs this one at this moment, if known.
    let disabledBy: String?
    /// A description of the accepted values.
    let takes: String

    init(_ control: DeviceControl) {
        name = control.name
        title = control.title
        value = control.value
        defaultValue = control.defaultValue
        isReadOnly = control.isReadOnly
        isInactive = control.isInactive
        disabledBy = control.disabledBy
        takes = control.valueDescription
        var limits: (minimum: Int64?, maximum: Int64?, step: Int64?) = (nil, nil, nil)
        switch control.kind {
        case .integer(let range, let step):
            kind = "integer"
            limits = (range.lowerBound, range.upperBound, step)
        case .boolean:
            kind = "boolean"
            limits = (0, 1, 1)
        case .menu: kind = "menu"
        case .integerMenu: kind = "integerMenu"
        case .button: kind = "button"
        case .bitmask(let mask):
            kind = "bitmask"
            limits = (0, mask, nil)
        case .unsupported: kind = "unsupported"
        }
        (minimum, maximum, step) = limits
        items = control.kind.items
    }

    /// Returns one line for each control, in columns, followed by the items of a menu.
    static func table(_ listings: [ControlListing]) -> String {
        if listings.isEmpty { return "This camera has no controls.\n" }
        let rows = [["control", "value", "default", "takes"]] + listings.map(\.row)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines: [String] = []
        for (index, row) in rows.enumerated() {
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            lines.append(line + row[3])
            if index > 0, let items = listings[index - 1].items {
                lines += items.map { "    \($0.index)  \($0.title)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var row: [String] {
        // The items of a menu follow in separate lines.
        var notes = [items != nil ? "one of" : kind == "button" ? "a button: \(name)=press" : takes]
        if isReadOnly { notes.append("read only") }
        if isInactive { notes.append(disabledBy.map { "inactive: disabled by \($0)" } ?? "inactive") }
        return [name, text(value), text(defaultValue), notes.joined(separator: "; ")]
    }

    private func text(_ value: Int64?) -> String {
        guard let value else { return "-" }
        switch kind {
        case "boolean": return value == 0 ? "off" : "on"
        case "bitmask": return "0x" + String(UInt64(bitPattern: value), radix: 16)
        default: return "\(value)"
        }
    }
}
