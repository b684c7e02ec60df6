// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A control that disables others while it is on.
struct AutomaticControl: Sendable {
    let identifier: DeviceControl.Identifier
    /// The controls that it disables.
    let governed: [DeviceControl.Identifier]
    /// The values that enable the others, in order of preference. With all other values it is on.
    let manual: [Int64]
    /// The values that disable the others, in order of preference.
    let automatic: [Int64]

    private init(
        _ identifier: DeviceControl.Identifier, governs governed: [DeviceControl.Identifier], manual: [Int64] = [0],
        automatic: [Int64] = [1]
    ) {
        self.identifier = identifier
        self.governed = governed
        self.manual = manual
        self.automatic = automatic
    }

    static let exposureTime = AutomaticControl(
        .autoExposure, governs: [.exposureTime], manual: [1, 2], automatic: [3, 0])
    static let iris = AutomaticControl(.autoExposure, governs: [.iris], manual: [1, 3], automatic: [0, 2])
    static let iso = AutomaticControl(.isoSensitivityAutomatic, governs: [.isoSensitivity])
    static let gain = AutomaticControl(.gainAutomatic, governs: [.gain])
    static let focus = AutomaticControl(.focusAutomatic, governs: [.focus])
    static let whiteBalance = AutomaticControl(
        .whiteBalanceAutomatic, governs: [.whiteBalanceTemperature, .redBalance, .blueBalance])
    static let whiteBalancePreset = AutomaticControl(
        .whiteBalancePreset, governs: [.whiteBalanceTemperature, .redBalance, .blueBalance])
    static let brightness = AutomaticControl(.brightnessAutomatic, governs: [.brightness])
    static let hue = AutomaticControl(.hueAutomatic, governs: [.hue])

    static let all = [exposureTime, iris, iso, gain, focus, whiteBalance, whiteBalancePreset, brightness, hue]

    /// Whether it is on; nil if its value cannot be read.
    func isOn(_ control: DeviceControl) -> Bool? {
        control.value.map { !manual.contains($0) }
    }

    /// Returns the preferred value of `control` that enables the others; nil if there is none.
    func manualValue(of control: DeviceControl) -> Int64? {
        manual.first(where: control.offers)
    }

    /// Returns the preferred value of `control` that disables the others; nil if there is none.
    func automaticValue(of control: DeviceControl) -> Int64? {
        automatic.first(where: control.offers)
    }

    /// Returns the control that currently disables `control`, with the value that would enable it; nil if there is
    /// none.
    static func governing(
        _ control: DeviceControl, in controls: [DeviceControl]
    ) -> (
        control: DeviceControl, manualValue: Int64?
    )? {
        guard let identifier = control.identifier else { return nil }
        for row in all where row.governed.contains(identifier) {
            guard let automatic = controls.first(where: { $0.identifier == row.identifier }) else { continue }
            if row.isOn(automatic) == true { return (automatic, row.manualValue(of: automatic)) }
        }
        return nil
    }

    /// Returns the controls, with ``DeviceControl/disabledBy`` for each inactive one.
    static func explain(_ controls: [DeviceControl]) -> [DeviceControl] {
        controls.map { control in
            guard control.isInactive, let governing = governing(control, in: controls) else { return control }
            var control = control
            control.disabledBy = governing.control.name
            return control
        }
    }
}

extension DeviceControl {
    /// Whether it accepts exactly this value.
    func offers(_ value: Int64) -> Bool {
        (try? accepted(value, on: "")) == value
    }
}
