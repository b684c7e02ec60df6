// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// How a camera finds its focus.
    public enum FocusMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The lens stays where it is.
        case locked
        /// The camera looks for the focus once, and then the lens stays.
        case autoFocus
        /// The camera keeps looking for the focus.
        case continuousAutoFocus
    }
}

extension DeviceConfiguration {
    /// How the camera finds its focus.
    public var focusMode: ControlChoice<CaptureDevice.FocusMode> {
        let automatic = control(.focusAutomatic)
        var choices: [CaptureDevice.FocusMode] = []
        if canSet(.focus, isOn: false) || settable(.focusAutomatic) == nil && settable(.focus) != nil {
            choices.append(.locked)
        }
        if settable(.focusOnce) != nil { choices.append(.autoFocus) }
        if canSet(.focus, isOn: true) { choices.append(.continuousAutoFocus) }
        let value: CaptureDevice.FocusMode?
        if let automatic {
            value = AutomaticControl.focus.isOn(automatic).map { $0 ? .continuousAutoFocus : lookingForFocus }
        } else {
            value = choices.isEmpty ? nil : lookingForFocus
        }
        return ControlChoice(
            automatic, choices: choices, value: value,
            defaultValue: isOnByDefault(.focus).map { $0 ? .continuousAutoFocus : .locked })
    }

    private var lookingForFocus: CaptureDevice.FocusMode {
        (control(.focusStatus)?.value ?? 0) & 1 != 0 ? .autoFocus : .locked
    }

    /// Whether the camera has this mode.
    public func isFocusModeSupported(_ mode: CaptureDevice.FocusMode) -> Bool {
        focusMode.choices.contains(mode)
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, and what the device says.
    public mutating func setFocusMode(_ mode: CaptureDevice.FocusMode) throws(ObscuraError) {
        guard isFocusModeSupported(mode) else {
            throw .unsupportedControl(device, "focusMode cannot be \(mode) on this device")
        }
        try set(.focus, isOn: mode == .continuousAutoFocus)
        if mode == .autoFocus { try press(.focusOnce) }
    }

    /// Where the lens is: 0 focuses on what is nearest, 1 on what is farthest. No unit of length.
    public var lensPosition: ControlRange<Double> {
        range(control(.focus), lensScale)
    }

    /// The same in the driver's numbers; there, greater is nearer.
    public var rawLensPosition: ControlRange<Int> {
        range(control(.focus), .plain)
    }

    /// Locks the focus and moves the lens there.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setFocusModeLocked(lensPosition: Double) throws(ObscuraError) {
        // Before anything is changed.
        _ = try value(of: required(.focus), for: lensPosition, "lensPosition", lensScale)
        try set(.focus, isOn: false)
        try set(.focus, to: lensPosition, "lensPosition", lensScale)
    }

    private var lensScale: ControlScale<Double>? {
        control(.focus)?.numbers.map { .fraction(of: $0.range, isReversed: true) }
    }
}
