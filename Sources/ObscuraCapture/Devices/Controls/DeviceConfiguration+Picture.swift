// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// The mains frequency whose flicker the camera suppresses.
    public enum PowerLineFrequency: String, Sendable, Hashable, CaseIterable, Codable {
        /// The camera does not suppress flicker.
        case disabled
        /// 50 Hz, as in Europe.
        case hertz50
        /// 60 Hz, as in North America.
        case hertz60
        /// The camera detects the frequency.
        case automatic
    }
}

/// Image adjustments inside the camera. All values are in the driver's units.
extension DeviceConfiguration {
    /// The brightness, in the driver's units.
    public var brightness: ControlRange<Int> { range(control(.brightness), .plain) }

    /// Sets the brightness, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setBrightness(_ value: Int) throws(ObscuraError) {
        try set(.brightness, to: value, "brightness", .plain)
    }

    /// The contrast, in the driver's units.
    public var contrast: ControlRange<Int> { range(control(.contrast), .plain) }

    /// Sets the contrast, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setContrast(_ value: Int) throws(ObscuraError) {
        try set(.contrast, to: value, "contrast", .plain)
    }

    /// The saturation, in the driver's units.
    public var saturation: ControlRange<Int> { range(control(.saturation), .plain) }

    /// Sets the saturation, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setSaturation(_ value: Int) throws(ObscuraError) {
        try set(.saturation, to: value, "saturation", .plain)
    }

    /// The hue rotation, in the driver's units.
    public var hue: ControlRange<Int> { range(control(.hue), .plain) }

    /// Sets the hue rotation, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setHue(_ value: Int) throws(ObscuraError) {
        try set(.hue, to: value, "hue", .plain)
    }

    /// The gamma correction, in the driver's units.
    public var gamma: ControlRange<Int> { range(control(.gamma), .plain) }

    /// Sets the gamma correction, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setGamma(_ value: Int) throws(ObscuraError) {
        try set(.gamma, to: value, "gamma", .plain)
    }

    /// The sharpening of edges, in the driver's units.
    public var sharpness: ControlRange<Int> { range(control(.sharpness), .plain) }

    /// Sets the sharpening of edges, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setSharpness(_ value: Int) throws(ObscuraError) {
        try set(.sharpness, to: value, "sharpness", .plain)
    }

    /// The compensation for a bright background, in the driver's units.
    public var backlightCompensation: ControlRange<Int> { range(control(.backlightCompensation), .plain) }

    /// Sets the compensation for a bright background, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func setBacklightCompensation(_ value: Int) throws(ObscuraError) {
        try set(.backlightCompensation, to: value, "backlightCompensation", .plain)
    }

    /// Whether the camera mirrors its frames horizontally.
    public var isHorizontallyFlipped: ControlChoice<Bool> { choice(.horizontalFlip, [0: false, 1: true]) }

    /// Sets whether the camera mirrors its frames horizontally.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setHorizontallyFlipped(_ isFlipped: Bool) throws(ObscuraError) {
        try set(.horizontalFlip, to: isFlipped, "isHorizontallyFlipped", [0: false, 1: true])
    }

    /// Whether the camera flips its frames vertically.
    public var isVerticallyFlipped: ControlChoice<Bool> { choice(.verticalFlip, [0: false, 1: true]) }

    /// Sets whether the camera flips its frames vertically.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setVerticallyFlipped(_ isFlipped: Bool) throws(ObscuraError) {
        try set(.verticalFlip, to: isFlipped, "isVerticallyFlipped", [0: false, 1: true])
    }

    /// The mains frequency whose flicker the camera suppresses.
    public var powerLineFrequency: ControlChoice<CaptureDevice.PowerLineFrequency> {
        choice(.powerLineFrequency, [0: .disabled, 1: .hertz50, 2: .hertz60, 3: .automatic])
    }

    /// Sets the mains frequency whose flicker the camera suppresses.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setPowerLineFrequency(
        _ frequency: CaptureDevice.PowerLineFrequency
    ) throws(ObscuraError) {
        try set(
            .powerLineFrequency, to: frequency, "powerLineFrequency",
            [0: .disabled, 1: .hertz50, 2: .hertz60, 3: .automatic])
    }
}
