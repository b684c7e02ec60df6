// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// An assignment `name=value` of `--set`.
struct ControlAssignment: Sendable, Hashable {
    let name: String
    /// The value as written; its meaning depends on the control.
    let value: String

    /// Returns the integer to set the control to.
    ///
    /// - Throws: `ValidationError` if the text is not a value of this kind of control. The library checks
    ///   whether the control accepts the number.
    func number(for control: DeviceControl) throws -> Int64 {
        if let number = Self.meaning(of: value, for: control.kind) { return number }
        throw ValidationError("\(name) takes \(control.valueDescription), not \(value).")
    }

    private static func meaning(of text: String, for kind: DeviceControl.Kind) -> Int64? {
        let word = text.lowercased()
        switch kind {
        case .integer, .bitmask, .unsupported: return number(word)
        case .boolean: return switches[word] ?? number(word)
        case .button: return word == "press" ? 1 : switches[word] == 1 ? 1 : nil
        case .menu(let items), .integerMenu(let items): return index(of: word, in: items)
        }
    }

    private static let switches: [String: Int64] = [
        "true": 1, "on": 1, "yes": 1, "1": 1, "false": 0, "off": 0, "no": 0, "0": 0,
    ]

    private static func number(_ word: String) -> Int64? {
        word.hasPrefix("0x") ? Int64(word.dropFirst(2), radix: 16) : Int64(word)
    }

    /// Returns the index of an item. An index has precedence over the number that an item represents, and
    /// both over titles. Titles may also be written like names of controls: `50_hz`.
    private static func index(of word: String, in items: [DeviceControl.Item]) -> Int64? {
        let number = number(word)
        let item =
            items.first { $0.index == number } ?? items.first { number != nil && $0.number == number }
            ?? items.first { $0.title.lowercased() == word }
            ?? items.first { !name(word).isEmpty && name($0.title) == name(word) }
        return item?.index
    }

    private static func name(_ title: String) -> String {
        let letters = title.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " }
        return String(letters).split(separator: " ").joined(separator: "_")
    }
}

extension ControlAssignment: ExpressibleByArgument {
    /// Returns nil without a name or an equals sign.
    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}
