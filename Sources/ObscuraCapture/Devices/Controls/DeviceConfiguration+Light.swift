// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// Whether the camera's lamp burns.
    public enum TorchMode: String, Sendable, Hashable, CaseIterable, Codable {
        case off
        case on
    }

    /// Whether the camera's lamp is ready to flash.
    public enum FlashMode: String, Sendable, Hashable, CaseIterable, Codable {
        case off
        case on
    }
}

/// The camera's lamp; it is either a torch or a flash.
extension DeviceConfiguration {
    /// Whether the lamp burns.
    public var torchMode: ControlChoice<CaptureDevice.TorchMode> {
        choice(.lightMode, [0: .off, 2: .on, 1: .off])
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setTorchMode(_ mode: CaptureDevice.TorchMode) throws(ObscuraError) {
        try set(.lightMode, to: mode, "torchMode", [0: .off, 2: .on])
    }

    /// How bright the lamp burns: 0 at its least, 1 at its most.
    public var torchLevel: ControlRange<Double> {
        range(control(.torchIntensity), torchScale)
    }

    /// Sets how bright the lamp is, and lights it.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setTorchModeOn(level: Double) throws(ObscuraError) {
        try set(.torchIntensity, to: level, "torchLevel", torchScale)
        try setTorchMode(.on)
    }

    /// Whether the lamp is ready to flash.
    public var flashMode: ControlChoice<CaptureDevice.FlashMode> {
        choice(.lightMode, [0: .off, 1: .on, 2: .off])
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setFlashMode(_ mode: CaptureDevice.FlashMode) throws(ObscuraError) {
        try set(.lightMode, to: mode, "flashMode", [0: .off, 1: .on])
    }

    /// Whether ``fireFlash()`` does something.
    public var canFireFlash: Bool { settable(.flashStrobe) != nil }

    /// Flashes once; the mode must be on.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func fireFlash() throws(ObscuraError) {
        try press(.flashStrobe)
    }

    private var torchScale: ControlScale<Double>? {
        control(.torchIntensity)?.numbers.map { .fraction(of: $0.range) }
    }
}
