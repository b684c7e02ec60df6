// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension DeviceControl {
    /// A well-known control, regardless of the driver's name and the kernel's version. The raw value is the name in
    /// current kernels.
    public enum Identifier: String, Sendable, Hashable, CaseIterable, Codable {
        case brightness
        case brightnessAutomatic = "brightness_automatic"
        case contrast
        case saturation
        case hue
        case hueAutomatic = "hue_automatic"
        case gamma
        case sharpness
        case backlightCompensation = "backlight_compensation"
        case powerLineFrequency = "power_line_frequency"
        case horizontalFlip = "horizontal_flip"
        case verticalFlip = "vertical_flip"

        case gain
        case gainAutomatic = "gain_automatic"
        /// A menu: 0 all automatic, 1 manual, 2 the time manual, 3 the iris manual.
        case autoExposure = "auto_exposure"
        /// In units of 100 µs.
        case exposureTime = "exposure_time_absolute"
        /// A menu of numbers in 0.001 EV.
        case exposureBias = "auto_exposure_bias"
        /// A menu of numbers in 0.001 ISO.
        case isoSensitivity = "iso_sensitivity"
        case isoSensitivityAutomatic = "iso_sensitivity_auto"
        case iris = "iris_absolute"

        case whiteBalanceAutomatic = "white_balance_automatic"
        /// A menu: 0 manual, 1 automatic, others for kinds of light.
        case whiteBalancePreset = "white_balance_auto_preset"
        /// A button.
        case whiteBalanceOnce = "do_white_balance"
        /// In kelvin.
        case whiteBalanceTemperature = "white_balance_temperature"
        case redBalance = "red_balance"
        case blueBalance = "blue_balance"

        case focusAutomatic = "focus_automatic_continuous"
        /// Greater values are nearer.
        case focus = "focus_absolute"
        /// A button.
        case focusOnce = "auto_focus_start"
        /// Bit 0 reports that the camera is focusing.
        case focusStatus = "auto_focus_status"
        /// Proportional to the focal length.
        case zoom = "zoom_absolute"

        /// A menu: 0 off, 1 flash, 2 torch.
        case lightMode = "led_mode"
        /// A button.
        case flashStrobe = "strobe"
        case torchIntensity = "intensity_torch_mode"
    }
}

extension DeviceControl.Identifier {
    /// The names in kernels before 6.0.
    private static let formerNames: [String: DeviceControl.Identifier] = [
        "exposure_auto": .autoExposure,
        "exposure_absolute": .exposureTime,
        "white_balance_temperature_auto": .whiteBalanceAutomatic,
        "focus_auto": .focusAutomatic,
        "hue_auto": .hueAutomatic,
    ]

    /// The control with a name of current or former kernels.
    init?(name: String) {
        guard let identifier = Self(rawValue: name) ?? Self.formerNames[name] else { return nil }
        self = identifier
    }
}
