// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// Against which mains the camera keeps lamps from flickering in the picture.
    public enum PowerLineFrequency: String, Sendable, Hashable, CaseIterable, Codable {
        /// Against none.
        case disabled
        case hertz50
        case hertz60
        /// The camera finds out.
        case automatic
    }
}

/// What the camera does to its pictures before it hands them out. All numbers are the driver's.
extension DeviceConfiguration {
    /// How bright the picture is.
    public var brightness: ControlRange<Int> { range(control(.brightness), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setBrightness(_ value: Int) throws(ObscuraError) {
        try set(.brightness, to: value, "brightness", .plain)
    }

    /// How far apart dark and light are.
    public var contrast: ControlRange<Int> { range(control(.contrast), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setContrast(_ value: Int) throws(ObscuraError) {
        try set(.contrast, to: value, "contrast", .plain)
    }

    /// How strong the colours are.
    public var saturation: ControlRange<Int> { range(control(.saturation), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setSaturation(_ value: Int) throws(ObscuraError) {
        try set(.saturation, to: value, "saturation", .plain)
    }

    /// By how much the colours are turned.
    public var hue: ControlRange<Int> { range(control(.hue), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setHue(_ value: Int) throws(ObscuraError) {
        try set(.hue, to: value, "hue", .plain)
    }

    /// How bright what is neither dark nor light is.
    public var gamma: ControlRange<Int> { range(control(.gamma), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setGamma(_ value: Int) throws(ObscuraError) {
        try set(.gamma, to: value, "gamma", .plain)
    }

    /// How much edges are raised.
    public var sharpness: ControlRange<Int> { range(control(.sharpness), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setSharpness(_ value: Int) throws(ObscuraError) {
        try set(.sharpness, to: value, "sharpness", .plain)
    }

    /// How much is done for what stands before a bright background.
    public var backlightCompensation: ControlRange<Int> { range(control(.backlightCompensation), .plain) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device says.
    public mutating func setBacklightCompensation(_ value: Int) throws(ObscuraError) {
        try set(.backlightCompensation, to: value, "backlightCompensation", .plain)
    }

    /// Whether left and right are exchanged, as in a mirror.
    public var isHorizontallyFlipped: ControlChoice<Bool> { choice(.horizontalFlip, [0: false, 1: true]) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setHorizontallyFlipped(_ isFlipped: Bool) throws(ObscuraError) {
        try set(.horizontalFlip, to: isFlipped, "isHorizontallyFlipped", [0: false, 1: true])
    }

    /// Whether the picture stands on its head.
    public var isVerticallyFlipped: ControlChoice<Bool> { choice(.verticalFlip, [0: false, 1: true]) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setVerticallyFlipped(_ isFlipped: Bool) throws(ObscuraError) {
        try set(.verticalFlip, to: isFlipped, "isVerticallyFlipped", [0: false, 1: true])
    }

    /// Against which mains the camera keeps lamps from flickering in the picture.
    public var powerLineFrequency: ControlChoice<CaptureDevice.PowerLineFrequency> {
        choice(.powerLineFrequency, [0: .disabled, 1: .hertz50, 2: .hertz60, 3: .automatic])
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setPowerLineFrequency(
        _ frequency: CaptureDevice.PowerLineFrequency
    ) throws(ObscuraError) {
        try set(
            .powerLineFrequency, to: frequency, "powerLineFrequency",
            [0: .disabled, 1: .hertz50, 2: .hertz60, 3: .automatic])
    }
}
