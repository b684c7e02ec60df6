// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// The state of the torch: the camera's LED as a continuous light.
    public enum TorchMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The LED is dark.
        case off
        /// The LED is lit.
        case on
    }

    /// The state of the flash: the camera's LED as a short light for photos.
    public enum FlashMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The flash is disabled.
        case off
        /// The flash is enabled: the LED flashes on ``DeviceConfiguration/fireFlash()``.
        case on
    }
}

/// The camera's LED, which is either a torch or a flash.
extension DeviceConfiguration {
    /// The state of the torch.
    public var torchMode: ControlChoice<CaptureDevice.TorchMode> {
        choice(.lightMode, [0: .off, 2: .on, 1: .off])
    }

    /// Turns the torch on or off.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setTorchMode(_ mode: CaptureDevice.TorchMode) throws(ObscuraError) {
        try set(.lightMode, to: mode, "torchMode", [0: .off, 2: .on])
    }

    /// The brightness of the torch from 0 (lowest) to 1 (highest).
    public var torchLevel: ControlRange<Double> {
        range(control(.torchIntensity), torchScale)
    }

    /// Turns the torch on with a brightness from 0 (lowest) to 1 (highest).
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setTorchModeOn(level: Double) throws(ObscuraError) {
        try set(.torchIntensity, to: level, "torchLevel", torchScale)
        try setTorchMode(.on)
    }

    /// The state of the flash.
    public var flashMode: ControlChoice<CaptureDevice.FlashMode> {
        choice(.lightMode, [0: .off, 1: .on, 2: .off])
    }

    /// Enables or disables the flash; see ``fireFlash()``.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setFlashMode(_ mode: CaptureDevice.FlashMode) throws(ObscuraError) {
        try set(.lightMode, to: mode, "flashMode", [0: .off, 1: .on])
    }

    /// Whether ``fireFlash()`` is supported.
    public var canFireFlash: Bool { settable(.flashStrobe) != nil }

    /// Fires the flash once; ``flashMode`` must be on.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func fireFlash() throws(ObscuraError) {
        try press(.flashStrobe)
    }

    private var torchScale: ControlScale<Double>? {
        control(.torchIntensity)?.numbers.map { .fraction(of: $0.range) }
    }
}
