// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// The exposure mode of a camera.
    public enum ExposureMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The exposure does not change.
        case locked
        /// The camera adjusts the exposure continuously.
        case continuousAutoExposure
        /// The application sets the exposure time, sensitivity and gain. ``DeviceConfiguration/exposureMode`` reports
        /// this mode as ``locked``.
        case custom
    }
}

extension DeviceConfiguration {
    /// The exposure mode.
    public var exposureMode: ControlChoice<CaptureDevice.ExposureMode> {
        modes(
            .exposureTime, locked: settable(.exposureTime) == nil ? [.locked] : [.locked, .custom],
            continuous: .continuousAutoExposure)
    }

    /// Whether the camera supports the mode.
    public func isExposureModeSupported(_ mode: CaptureDevice.ExposureMode) -> Bool {
        exposureMode.choices.contains(mode)
    }

    /// Sets the exposure mode. With `locked` and `custom`, many cameras return to the exposure time that was set last.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setExposureMode(_ mode: CaptureDevice.ExposureMode) throws(ObscuraError) {
        try check(mode, in: exposureMode, "exposureMode")
        try set(.exposureTime, isOn: mode == .continuousAutoExposure)
    }

    /// The exposure time of a frame.
    public var exposureDuration: ControlRange<MediaTime> {
        range(control(.exposureTime), .tenthsOfMilliseconds)
    }

    /// The sensitivity as defined by ISO 12232. Most USB cameras have only ``gain``, which has no unit.
    public var iso: ControlRange<Double> {
        range(control(.isoSensitivity), .units(1000))
    }

    /// The gain of the sensor's signal, in the driver's units.
    public var gain: ControlRange<Int> { range(control(.gain), .plain) }

    /// Whether the camera adjusts the gain automatically.
    public var isGainAutomatic: ControlChoice<Bool> { choice(.gainAutomatic, [0: false, 1: true]) }

    /// Sets whether the camera adjusts the gain automatically.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setGainAutomatic(_ isAutomatic: Bool) throws(ObscuraError) {
        try set(.gainAutomatic, to: isAutomatic, "isGainAutomatic", [0: false, 1: true])
    }

    /// Sets the gain, in the driver's units.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive` while the gain is
    ///   automatic, and errors of the device.
    public mutating func setGain(_ gain: Int) throws(ObscuraError) {
        try set(.gain, to: gain, "gain", .plain)
    }

    /// Sets the mode ``CaptureDevice/ExposureMode/custom`` with an exposure time, a sensitivity (ISO) and a gain in the
    /// driver's units. Nil leaves a value unchanged. All values are validated before the first value is set.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setExposureModeCustom(
        duration: MediaTime? = nil, iso: Double? = nil, gain: Int? = nil
    ) throws(ObscuraError) {
        if let duration { _ = try value(of: required(.exposureTime), for: duration, "duration", .tenthsOfMilliseconds) }
        if let iso { _ = try value(of: required(.isoSensitivity), for: iso, "iso", .units(1000)) }
        if let gain { _ = try value(of: required(.gain), for: gain, "gain", .plain) }
        try setExposureMode(.custom)
        if let duration { try set(.exposureTime, to: duration, "duration", .tenthsOfMilliseconds) }
        if let iso {
            try set(.iso, isOn: false)
            try set(.isoSensitivity, to: iso, "iso", .units(1000))
        }
        if let gain {
            try set(.gain, isOn: false)
            try set(.gain, to: gain, "gain", .plain)
        }
    }

    /// The bias of automatic exposure, in EV. A positive bias makes frames brighter.
    public var exposureTargetBias: ControlRange<Double> {
        range(control(.exposureBias), .units(1000))
    }

    /// Sets the bias of automatic exposure, in EV.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setExposureTargetBias(_ bias: Double) throws(ObscuraError) {
        try set(.exposureBias, to: bias, "exposureTargetBias", .units(1000))
    }
}
