// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A value for a control: an integer or a Boolean.
struct ControlValue: Decodable, Sendable, Equatable {
    var number: Int64

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let isOn = try? value.decode(Bool.self) {
            number = isOn ? 1 : 0
        } else {
            number = try value.decode(Int64.self)
        }
    }
}

/// A control of a device, as sent to pages.
struct ControlDescription: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable {
        case integer, boolean, menu, button, other
    }

    struct Option: Codable, Sendable, Equatable {
        var value: Int64
        var label: String
    }

    var name: String
    var label: String
    var kind: Kind
    var value: Int64?
    var minimum: Int64?
    var maximum: Int64?
    var step: Int64?
    var options: [Option]?
    var isWritable: Bool

    init(_ control: DeviceControl) {
        name = control.name
        label = control.title
        value = control.value
        isWritable = !control.isReadOnly && !control.isInactive
        switch control.kind {
        case .integer(let range, let step):
            kind = .integer
            (minimum, maximum, self.step) = (range.lowerBound, range.upperBound, step)
        case .boolean: kind = .boolean
        case .menu, .integerMenu: kind = .menu
        case .button: kind = .button
        case .bitmask, .unsupported: kind = .other
        }
        options = control.kind.items?.map { Option(value: $0.index, label: $0.title) }
    }
}
