// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// How a camera exposes.
    public enum ExposureMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The exposure stays as it is.
        case locked
        /// The camera keeps adapting.
        case continuousAutoExposure
        /// The exposure is what was asked for. A device does not tell this from ``locked``, and reads as that.
        case custom
    }
}

extension DeviceConfiguration {
    /// How the camera exposes.
    public var exposureMode: ControlChoice<CaptureDevice.ExposureMode> {
        let automatic = control(.autoExposure)
        let hasTime = settable(.exposureTime) != nil
        var choices: [CaptureDevice.ExposureMode] = []
        if canSet(.exposureTime, isOn: false) || settable(.autoExposure) == nil && hasTime {
            choices = hasTime ? [.locked, .custom] : [.locked]
        }
        if canSet(.exposureTime, isOn: true) { choices.append(.continuousAutoExposure) }
        let value: CaptureDevice.ExposureMode?
        if let automatic {
            value = AutomaticControl.exposureTime.isOn(automatic).map { $0 ? .continuousAutoExposure : .locked }
        } else {
            value = hasTime ? .locked : nil
        }
        return ControlChoice(
            automatic, choices: choices, value: value,
            defaultValue: isOnByDefault(.exposureTime).map { $0 ? .continuousAutoExposure : .locked })
    }

    /// Whether the camera has this mode.
    public func isExposureModeSupported(_ mode: CaptureDevice.ExposureMode) -> Bool {
        exposureMode.choices.contains(mode)
    }

    /// `locked` and `custom` stop adapting. Many cameras then go back to the duration that was set last.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setExposureMode(_ mode: CaptureDevice.ExposureMode) throws(ObscuraError) {
        guard isExposureModeSupported(mode) else {
            throw .unsupportedControl(device, "exposureMode cannot be \(mode) on this device")
        }
        try set(.exposureTime, isOn: mode == .continuousAutoExposure)
    }

    /// How long the light of a picture is gathered.
    public var exposureDuration: ControlRange<MediaTime> {
        range(control(.exposureTime), .tenthsOfMilliseconds)
    }

    /// How sensitive the sensor is, as ISO 12232 counts. Most USB cameras have only ``gain``, which has no unit.
    public var iso: ControlRange<Double> {
        range(control(.isoSensitivity), .units(1000))
    }

    /// By how much the sensor's signal is raised, in the driver's numbers.
    public var gain: ControlRange<Int> { range(control(.gain), .plain) }

    /// Whether the camera chooses the gain.
    public var isGainAutomatic: ControlChoice<Bool> { choice(.gainAutomatic, [0: false, 1: true]) }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setGainAutomatic(_ isAutomatic: Bool) throws(ObscuraError) {
        try set(.gainAutomatic, to: isAutomatic, "isGainAutomatic", [0: false, 1: true])
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive` while the camera chooses
    ///   it, and what the device says.
    public mutating func setGain(_ gain: Int) throws(ObscuraError) {
        try set(.gain, to: gain, "gain", .plain)
    }

    /// Stops adapting, and exposes as asked for; what is nil stays as it is. Everything is checked before anything
    /// is set.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
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

    /// How much brighter or darker than it finds right the camera exposes, in EV.
    public var exposureTargetBias: ControlRange<Double> {
        range(control(.exposureBias), .units(1000))
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setExposureTargetBias(_ bias: Double) throws(ObscuraError) {
        try set(.exposureBias, to: bias, "exposureTargetBias", .units(1000))
    }
}
