// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureDevice {
    /// The focus mode of a camera.
    public enum FocusMode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The lens does not move.
        case locked
        /// The camera focuses once, then locks the lens.
        case autoFocus
        /// The camera focuses continuously.
        case continuousAutoFocus
    }
}

extension DeviceConfiguration {
    /// The focus mode.
    public var focusMode: ControlChoice<CaptureDevice.FocusMode> {
        let isFocusing = (control(.focusStatus)?.value ?? 0) & 1 != 0
        return modes(
            .focus, locked: [.locked], once: (.focusOnce, .autoFocus), continuous: .continuousAutoFocus,
            manual: isFocusing ? .autoFocus : .locked)
    }

    /// Whether the camera supports the mode.
    public func isFocusModeSupported(_ mode: CaptureDevice.FocusMode) -> Bool {
        focusMode.choices.contains(mode)
    }

    /// Sets the focus mode. With `autoFocus` the call returns before the camera has focused.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, and errors of the device.
    public mutating func setFocusMode(_ mode: CaptureDevice.FocusMode) throws(ObscuraError) {
        try check(mode, in: focusMode, "focusMode")
        try set(.focus, isOn: mode == .continuousAutoFocus)
        if mode == .autoFocus { try press(.focusOnce) }
    }

    /// The lens position from 0 (nearest focus) to 1 (farthest focus), without a unit of length.
    public var lensPosition: ControlRange<Double> {
        range(control(.focus), lensScale)
    }

    /// The lens position in the driver's units. Greater values focus nearer.
    public var rawLensPosition: ControlRange<Int> {
        range(control(.focus), .plain)
    }

    /// Locks the focus at a lens position from 0 (nearest focus) to 1 (farthest focus).
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setFocusModeLocked(lensPosition: Double) throws(ObscuraError) {
        // Validated before the first change.
        _ = try value(of: required(.focus), for: lensPosition, "lensPosition", lensScale)
        try set(.focus, isOn: false)
        try set(.focus, to: lensPosition, "lensPosition", lensScale)
    }

    private var lensScale: ControlScale<Double>? {
        control(.focus)?.numbers.map { .fraction(of: $0.range, isReversed: true) }
    }
}
