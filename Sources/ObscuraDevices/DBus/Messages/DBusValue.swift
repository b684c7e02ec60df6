// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A value in a message that was received. Variants are represented by their contents.
indirect enum DBusValue: Sendable {
    case boolean(Bool)
    /// An integer of any size; one of 64 bits without a sign keeps its bits.
    case number(Int64)
    case double(Double)
    /// A string, an object path or a signature.
    case text(String)
    /// A copy of a descriptor, closed with its last reference.
    case descriptor(FileDescriptor)
    /// The elements of an array, or the fields of a struct.
    case items([DBusValue])
    case dictionary([(key: DBusValue, value: DBusValue)])

    var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    var number: Int64? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    var descriptor: FileDescriptor? {
        guard case .descriptor(let value) = self else { return nil }
        return value
    }

    var items: [DBusValue]? {
        guard case .items(let value) = self else { return nil }
        return value
    }

    /// The value of a dictionary for a string; nil for other values.
    subscript(key: String) -> DBusValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key.text == key }?.value
    }
}
