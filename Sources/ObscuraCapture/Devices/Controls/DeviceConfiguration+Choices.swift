// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Controls as choices.
extension DeviceConfiguration {
    /// Returns the control as a choice.
    ///
    /// - Parameter meanings: the choice for each of its values, in the order of the list.
    func choice<Value>(
        _ identifier: DeviceControl.Identifier, _ meanings: KeyValuePairs<Int64, Value>
    ) -> ControlChoice<Value> {
        let control = control(identifier)
        let meaning = { (number: Int64?) in meanings.first { $0.key == number }?.value }
        var choices: [Value] = []
        if let control = settable(identifier) {
            // Two values may have the same meaning.
            for (number, value) in meanings where control.offers(number) && !choices.contains(value) {
                choices.append(value)
            }
        }
        return ControlChoice(
            control, choices: choices, value: meaning(control?.value), defaultValue: meaning(control?.defaultValue))
    }

    /// Sets a control to a choice.
    ///
    /// - Parameter name: the name of the setting, for errors.
    /// - Throws: ``ObscuraError``.
    mutating func set<Value: Hashable>(
        _ identifier: DeviceControl.Identifier, to value: Value, _ name: String,
        _ meanings: KeyValuePairs<Int64, Value>
    ) throws(ObscuraError) {
        let control = try required(identifier)
        guard let number = meanings.first(where: { $0.value == value && control.offers($0.key) })?.key else {
            throw unsupported(value, name)
        }
        try set(control, to: number)
    }

    /// Switches an automatic control on or off, unless it is in that state already.
    ///
    /// - Returns: whether the device has the control.
    /// - Throws: ``ObscuraError``: `unsupportedControl` if it cannot be switched to that state.
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

    /// Whether the device has the control and can switch it to that state.
    func canSet(_ automatic: AutomaticControl, isOn: Bool) -> Bool {
        guard let control = settable(automatic.identifier) else { return false }
        return (isOn ? automatic.automaticValue(of: control) : automatic.manualValue(of: control)) != nil
    }

    /// Returns the modes of an automatic control: manual, once and continuous operation.
    ///
    /// - Parameters:
    ///   - locked: the modes of manual operation.
    ///   - once: the button of a single run, and its mode.
    ///   - continuous: the mode of continuous operation.
    ///   - manual: the current mode in manual operation; nil for the first one of `locked`.
    func modes<Mode>(
        _ automatic: AutomaticControl, locked: [Mode], once: (button: DeviceControl.Identifier, mode: Mode)? = nil,
        continuous: Mode, manual: Mode? = nil
    ) -> ControlChoice<Mode> {
        let control = control(automatic.identifier)
        let hasValue = automatic.governed.contains { settable($0) != nil }
        var choices: [Mode] = []
        if canSet(automatic, isOn: false) || settable(automatic.identifier) == nil && hasValue { choices += locked }
        if let once, settable(once.button) != nil { choices.append(once.mode) }
        if canSet(automatic, isOn: true) { choices.append(continuous) }
        // A preset, such as white balance for a kind of light, disables other controls but is not continuous.
        let isContinuous = { (number: Int64) in automatic.automatic.contains(number) }
        let value =
            control == nil
            ? (choices.isEmpty ? nil : manual ?? locked.first)
            : control?.value.flatMap { isContinuous($0) ? continuous : manual ?? locked.first }
        return ControlChoice(
            control, choices: choices, value: value,
            defaultValue: control?.defaultValue.flatMap { isContinuous($0) ? continuous : locked.first })
    }

    /// Throws `unsupportedControl` for a value that is not among the choices.
    ///
    /// - Parameter name: the name of the setting, for errors.
    func check<Value>(_ value: Value, in choice: ControlChoice<Value>, _ name: String) throws(ObscuraError) {
        guard choice.choices.contains(value) else { throw unsupported(value, name) }
    }

    private func unsupported<Value>(_ value: Value, _ name: String) -> ObscuraError {
        .unsupportedControl(device, "\(name) cannot be \(value) on this device")
    }

    /// Presses a button.
    ///
    /// - Throws: ``ObscuraError``.
    mutating func press(_ identifier: DeviceControl.Identifier) throws(ObscuraError) {
        try set(required(identifier), to: 1)
    }
}
