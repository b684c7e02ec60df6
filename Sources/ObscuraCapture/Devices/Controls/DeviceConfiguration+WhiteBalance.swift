// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// How a camera finds out what is white.
    public enum WhiteBalanceMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// It stays as it is.
        case locked
        /// The camera looks once, and then it stays.
        case autoWhiteBalance
        /// The camera keeps adapting.
        case continuousAutoWhiteBalance
    }
}

extension DeviceConfiguration {
    /// A camera has one of the two, if any.
    private var automaticWhiteBalance: AutomaticControl {
        control(.whiteBalanceAutomatic) == nil && control(.whiteBalancePreset) != nil
            ? .whiteBalancePreset : .whiteBalance
    }

    /// How the camera finds out what is white.
    public var whiteBalanceMode: ControlChoice<CaptureDevice.WhiteBalanceMode> {
        let row = automaticWhiteBalance
        let automatic = control(row.identifier)
        let hasValues = row.governed.contains { settable($0) != nil }
        var choices: [CaptureDevice.WhiteBalanceMode] = []
        if canSet(row, isOn: false) || settable(row.identifier) == nil && hasValues { choices.append(.locked) }
        if settable(.whiteBalanceOnce) != nil { choices.append(.autoWhiteBalance) }
        if canSet(row, isOn: true) { choices.append(.continuousAutoWhiteBalance) }
        let value: CaptureDevice.WhiteBalanceMode?
        if let automatic {
            // A preset for a kind of light governs, and does not adapt.
            value = automatic.value.map { row.automatic.contains($0) ? .continuousAutoWhiteBalance : .locked }
        } else {
            value = choices.isEmpty ? nil : .locked
        }
        return ControlChoice(
            automatic, choices: choices, value: value,
            defaultValue: automatic?.defaultValue.map {
                row.automatic.contains($0) ? .continuousAutoWhiteBalance : .locked
            })
    }

    /// Whether the camera has this mode.
    public func isWhiteBalanceModeSupported(_ mode: CaptureDevice.WhiteBalanceMode) -> Bool {
        whiteBalanceMode.choices.contains(mode)
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setWhiteBalanceMode(_ mode: CaptureDevice.WhiteBalanceMode) throws(ObscuraError) {
        guard isWhiteBalanceModeSupported(mode) else {
            throw .unsupportedControl(device, "whiteBalanceMode cannot be \(mode) on this device")
        }
        let row = automaticWhiteBalance
        if mode == .continuousAutoWhiteBalance, let control = settable(row.identifier),
            let value = row.automaticValue(of: control), control.value != value
        {
            // From a preset as well, which governs already.
            try set(control, to: value)
        } else {
            try set(row, isOn: mode == .continuousAutoWhiteBalance)
        }
        if mode == .autoWhiteBalance { try press(.whiteBalanceOnce) }
    }

    /// The colour of the light that is taken for white, in kelvin.
    public var whiteBalanceTemperature: ControlRange<Int> { range(control(.whiteBalanceTemperature), .plain) }
    /// By how much red is raised, in the driver's numbers.
    public var whiteBalanceRedGain: ControlRange<Int> { range(control(.redBalance), .plain) }
    /// By how much blue is raised, in the driver's numbers.
    public var whiteBalanceBlueGain: ControlRange<Int> { range(control(.blueBalance), .plain) }

    /// Stops adapting, and takes light of this colour for white.
    ///
    /// - Parameter temperature: in kelvin.
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setWhiteBalanceModeLocked(temperature: Int) throws(ObscuraError) {
        _ = try value(of: required(.whiteBalanceTemperature), for: temperature, "temperature", .plain)
        try set(automaticWhiteBalance, isOn: false)
        try set(.whiteBalanceTemperature, to: temperature, "temperature", .plain)
    }

    /// Stops adapting, and raises red and blue by so much, in the driver's numbers.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setWhiteBalanceModeLocked(redGain: Int, blueGain: Int) throws(ObscuraError) {
        _ = try value(of: required(.redBalance), for: redGain, "redGain", .plain)
        _ = try value(of: required(.blueBalance), for: blueGain, "blueGain", .plain)
        try set(automaticWhiteBalance, isOn: false)
        try set(.redBalance, to: redGain, "redGain", .plain)
        try set(.blueBalance, to: blueGain, "blueGain", .plain)
    }
}
