// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension DeviceControl {
    /// A well-known control. Drivers and kernel versions use different names for the same control; the raw value is the
    /// name in current kernels.
    public enum Identifier: String, Sendable, Hashable, CaseIterable, Codable {
        /// The brightness, or black level.
        case brightness
        /// Whether the camera sets the brightness automatically.
        case brightnessAutomatic = "brightness_automatic"
        /// The contrast, or luma gain.
        case contrast
        /// The saturation, or chroma gain.
        case saturation
        /// The hue, or color balance.
        case hue
        /// Whether the camera sets the hue automatically.
        case hueAutomatic = "hue_automatic"
        /// The gamma correction.
        case gamma
        /// The sharpness filter.
        case sharpness
        /// The compensation for a bright background.
        case backlightCompensation = "backlight_compensation"
        /// The mains frequency whose flicker is suppressed, a menu: 0 (disabled), 1 (50 Hz), 2 (60 Hz), 3 (automatic).
        case powerLineFrequency = "power_line_frequency"
        /// Whether the sensor mirrors the image horizontally.
        case horizontalFlip = "horizontal_flip"
        /// Whether the sensor flips the image vertically.
        case verticalFlip = "vertical_flip"

        /// The gain of the sensor.
        case gain
        /// Whether the camera sets the gain automatically.
        case gainAutomatic = "gain_automatic"
        /// The exposure mode, a menu: 0 (automatic time and iris), 1 (manual time and iris), 2 (manual time, automatic
        /// iris), 3 (automatic time, manual iris).
        case autoExposure = "auto_exposure"
        /// The exposure time, in units of 100 µs.
        case exposureTime = "exposure_time_absolute"
        /// The bias of automatic exposure, a menu of numbers in units of 0.001 EV.
        case exposureBias = "auto_exposure_bias"
        /// The sensitivity, a menu of numbers in units of 0.001 ISO.
        case isoSensitivity = "iso_sensitivity"
        /// The sensitivity mode, a menu: 0 (manual), 1 (automatic).
        case isoSensitivityAutomatic = "iso_sensitivity_auto"
        /// The aperture, in the driver's units.
        case iris = "iris_absolute"

        /// Whether the camera sets the white balance automatically.
        case whiteBalanceAutomatic = "white_balance_automatic"
        /// The white balance mode, a menu: 0 (manual), 1 (automatic), other values for light sources such as daylight.
        case whiteBalancePreset = "white_balance_auto_preset"
        /// A button that adjusts the white balance once.
        case whiteBalanceOnce = "do_white_balance"
        /// The color temperature that the camera shows as white, in kelvin.
        case whiteBalanceTemperature = "white_balance_temperature"
        /// The gain of the red channel.
        case redBalance = "red_balance"
        /// The gain of the blue channel.
        case blueBalance = "blue_balance"

        /// Whether the camera focuses continuously.
        case focusAutomatic = "focus_automatic_continuous"
        /// The lens position; greater values focus nearer.
        case focus = "focus_absolute"
        /// A button that focuses once.
        case focusOnce = "auto_focus_start"
        /// The state of automatic focus; bit 0 is set while the camera is focusing.
        case focusStatus = "auto_focus_status"
        /// The zoom, proportional to the focal length.
        case zoom = "zoom_absolute"

        /// The mode of the LED, a menu: 0 (off), 1 (flash), 2 (torch).
        case lightMode = "led_mode"
        /// A button that fires the flash.
        case flashStrobe = "strobe"
        /// The brightness of the torch.
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

    /// Creates the identifier for a name in current or former kernels; nil for another name.
    init?(name: String) {
        guard let identifier = Self(rawValue: name) ?? Self.formerNames[name] else { return nil }
        self = identifier
    }
}
