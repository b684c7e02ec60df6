// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// How a control becomes one of a few things, and how that is set.
extension DeviceConfiguration {
    /// The control as a choice.
    ///
    /// - Parameter meanings: what each of its values means here, in the order in which they are listed.
    func choice<Value>(
        _ identifier: DeviceControl.Identifier, _ meanings: KeyValuePairs<Int64, Value>
    ) -> ControlChoice<Value> {
        let control = control(identifier)
        let meaning = { (number: Int64?) in meanings.first { $0.key == number }?.value }
        var choices: [Value] = []
        if let control = settable(identifier) {
            // Two numbers may mean the same here.
            for (number, value) in meanings where control.offers(number) && !choices.contains(value) {
                choices.append(value)
            }
        }
        return ControlChoice(
            control, choices: choices, value: meaning(control?.value), defaultValue: meaning(control?.defaultValue))
    }

    /// Sets a control by what its value means.
    ///
    /// - Parameter name: what the caller calls the setting.
    /// - Throws: ``ObscuraError``.
    mutating func set<Value: Hashable>(
        _ identifier: DeviceControl.Identifier, to value: Value, _ name: String,
        _ meanings: KeyValuePairs<Int64, Value>
    ) throws(ObscuraError) {
        let control = try required(identifier)
        guard let number = meanings.first(where: { $0.value == value && control.offers($0.key) })?.key else {
            throw .unsupportedControl(device, "\(name) cannot be \(value) on this device")
        }
        try set(control, to: number)
    }

    /// Switches what is automatic on or off; nothing is to be done where it is so already.
    ///
    /// - Returns: whether the device has such a control at all.
    /// - Throws: ``ObscuraError``: `unsupportedControl` when it is there and cannot be switched so.
    @discardableResult
    mutating func set(_ automatic: AutomaticControl, isOn: Bool) throws(ObscuraError) -> Bool {
        guard let control = settable(automatic.identifier) else { return false }
        if automatic.isOn(control) == isOn { return true }
        guard let value = isOn ? automatic.automaticValue(of: control) : automatic.manualValue(of: control) else {
            throw .unsupportedControl(device, "\(control.name) cannot be switched \(isOn ? "on" : "off")")
        }
        try set(control, to: value)
        return true
    }

    /// Whether the device has such a control and lets it be switched so.
    func canSet(_ automatic: AutomaticControl, isOn: Bool) -> Bool {
        guard let control = settable(automatic.identifier) else { return false }
        return (isOn ? automatic.automaticValue(of: control) : automatic.manualValue(of: control)) != nil
    }

    /// Whether it governs by default; nil where that is not known.
    func isOnByDefault(_ automatic: AutomaticControl) -> Bool? {
        control(automatic.identifier)?.defaultValue.map { !automatic.manual.contains($0) }
    }

    /// Presses a button.
    ///
    /// - Throws: ``ObscuraError``.
    mutating func press(_ identifier: DeviceControl.Identifier) throws(ObscuraError) {
        try set(required(identifier), to: 1)
    }
}
