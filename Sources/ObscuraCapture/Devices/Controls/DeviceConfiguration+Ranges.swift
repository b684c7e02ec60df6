// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Controls as settings with a range.
extension DeviceConfiguration {
    /// Returns the control as a setting; unsupported without a control or a range.
    func range<Value>(_ control: DeviceControl?, _ scale: ControlScale<Value>?) -> ControlRange<Value> {
        guard let control, let scale, let numbers = control.numbers else { return .unsupported }
        let values = numbers.values?.map(scale.value).sorted()
        let ends = [scale.value(numbers.range.lowerBound), scale.value(numbers.range.upperBound)].sorted()
        return ControlRange(
            isSupported: !control.isReadOnly, value: control.value.flatMap(control.number(at:)).map(scale.value),
            range: ends[0]...ends[1], step: values == nil ? scale.step(numbers.step) : nil, values: values,
            defaultValue: control.defaultValue.flatMap(control.number(at:)).map(scale.value),
            isInactive: control.isInactive, disabledBy: control.disabledBy)
    }

    /// Returns the control's integer for a value.
    ///
    /// - Parameter name: the name of the setting, for errors.
    /// - Throws: ``ObscuraError``: `unsupportedControl` or `invalidValue`.
    func value<Value>(
        of control: DeviceControl, for value: Value, _ name: String, _ scale: ControlScale<Value>?
    ) throws(ObscuraError) -> Int64 {
        guard let scale, let numbers = control.numbers, let range = range(control, scale).range else {
            throw .unsupportedControl(
                device, "\(name) cannot be set: the driver reports no valid range of \(control.name)")
        }
        guard range.contains(value), let number = scale.number(value) else {
            let limits = "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
            throw ObscuraError(
                .capture, .invalidValue, subject: device,
                reason: "\(name) takes \(limits)\(Self.steps(numbers, scale)), not \(Self.text(value))")
        }
        guard let items = control.kind.items else { return number }
        let nearest = items.min { Self.distance($0, number) < Self.distance($1, number) }
        return nearest?.index ?? number
    }

    /// Sets a control to a typed value.
    ///
    /// - Throws: ``ObscuraError``.
    mutating func set<Value>(
        _ identifier: DeviceControl.Identifier, to value: Value, _ name: String, _ scale: ControlScale<Value>?
    ) throws(ObscuraError) {
        let control = try required(identifier)
        try set(control, to: self.value(of: control, for: value, name, scale))
    }

    private static func distance(_ item: DeviceControl.Item, _ number: Int64) -> UInt64 {
        let left = item.number ?? item.index
        return left > number ? UInt64(bitPattern: left &- number) : UInt64(bitPattern: number &- left)
    }

    private static func steps<Value>(_ numbers: DeviceControl.Numbers, _ scale: ControlScale<Value>) -> String {
        if let values = numbers.values {
            return " (\(values.map { text(scale.value($0)) }.joined(separator: ", ")))"
        }
        return " in steps of \(text(scale.step(numbers.step)))"
    }

    private static func text<Value>(_ value: Value) -> String {
        (value as? MediaTime).map { "\($0.seconds) s" } ?? "\(value)"
    }
}

extension ControlRange {
    fileprivate static var unsupported: ControlRange {
        ControlRange(
            isSupported: false, value: nil, range: nil, step: nil, values: nil, defaultValue: nil, isInactive: false,
            disabledBy: nil)
    }
}

extension DeviceControl {
    /// The numbers of a control.
    struct Numbers {
        let range: ClosedRange<Int64>
        let step: Int64
        /// The valid numbers of a menu.
        var values: [Int64]?
    }

    /// The numbers; nil for a control without numbers.
    var numbers: Numbers? {
        switch kind {
        case .integer(let range, let step): return Numbers(range: range, step: step)
        case .boolean: return Numbers(range: 0...1, step: 1)
        case .menu(let items), .integerMenu(let items):
            let values = items.map { $0.number ?? $0.index }
            guard let least = values.min(), let greatest = values.max() else { return nil }
            return Numbers(range: least...greatest, step: 1, values: values)
        case .button, .bitmask, .unsupported: return nil
        }
    }

    /// Returns the number of a value: in a menu of numbers, the item's.
    fileprivate func number(at value: Int64) -> Int64? {
        guard let items = kind.items else { return value }
        return items.first { $0.index == value }.map { $0.number ?? $0.index }
    }
}
