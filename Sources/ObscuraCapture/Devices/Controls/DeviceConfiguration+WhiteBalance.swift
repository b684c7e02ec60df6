// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// The white balance mode of a camera.
    public enum WhiteBalanceMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The white balance does not change.
        case locked
        /// The camera adjusts the white balance once, then locks it.
        case autoWhiteBalance
        /// The camera adjusts the white balance continuously.
        case continuousAutoWhiteBalance
    }
}

extension DeviceConfiguration {
    /// The automatic control; a camera has at most one of the two kinds.
    private var automaticWhiteBalance: AutomaticControl {
        control(.whiteBalanceAutomatic) == nil && control(.whiteBalancePreset) != nil
            ? .whiteBalancePreset : .whiteBalance
    }

    /// The white balance mode.
    public var whiteBalanceMode: ControlChoice<CaptureDevice.WhiteBalanceMode> {
        modes(
            automaticWhiteBalance, locked: [.locked], once: (.whiteBalanceOnce, .autoWhiteBalance),
            continuous: .continuousAutoWhiteBalance)
    }

    /// Whether the camera supports the mode.
    public func isWhiteBalanceModeSupported(_ mode: CaptureDevice.WhiteBalanceMode) -> Bool {
        whiteBalanceMode.choices.contains(mode)
    }

    /// Sets the white balance mode. With `autoWhiteBalance` the call returns before the adjustment is complete.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setWhiteBalanceMode(_ mode: CaptureDevice.WhiteBalanceMode) throws(ObscuraError) {
        try check(mode, in: whiteBalanceMode, "whiteBalanceMode")
        let automatic = automaticWhiteBalance
        if mode == .continuousAutoWhiteBalance, let control = settable(automatic.identifier),
            let value = automatic.automaticValue(of: control), control.value != value
        {
            // Also from a preset, which already counts as on.
            try set(control, to: value)
        } else {
            try set(automatic, isOn: mode == .continuousAutoWhiteBalance)
        }
        if mode == .autoWhiteBalance { try press(.whiteBalanceOnce) }
    }

    /// The color temperature that the camera shows as white, in kelvin.
    public var whiteBalanceTemperature: ControlRange<Int> { range(control(.whiteBalanceTemperature), .plain) }
    /// The gain of the red channel, in the driver's units.
    public var whiteBalanceRedGain: ControlRange<Int> { range(control(.redBalance), .plain) }
    /// The gain of the blue channel, in the driver's units.
    public var whiteBalanceBlueGain: ControlRange<Int> { range(control(.blueBalance), .plain) }

    /// Locks the white balance at a color temperature.
    ///
    /// - Parameter temperature: the color temperature in kelvin.
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setWhiteBalanceModeLocked(temperature: Int) throws(ObscuraError) {
        _ = try value(of: required(.whiteBalanceTemperature), for: temperature, "temperature", .plain)
        try set(automaticWhiteBalance, isOn: false)
        try set(.whiteBalanceTemperature, to: temperature, "temperature", .plain)
    }

    /// Locks the white balance with gains of the red and blue channels, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setWhiteBalanceModeLocked(redGain: Int, blueGain: Int) throws(ObscuraError) {
        _ = try value(of: required(.redBalance), for: redGain, "redGain", .plain)
        _ = try value(of: required(.blueBalance), for: blueGain, "blueGain", .plain)
        try set(automaticWhiteBalance, isOn: false)
        try set(.redBalance, to: redGain, "redGain", .plain)
        try set(.blueBalance, to: blueGain, "blueGain", .plain)
    }
}
