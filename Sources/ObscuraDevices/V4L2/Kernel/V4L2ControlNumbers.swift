// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraCapture

extension DeviceControl.Identifier {
    private static let numbers: [Int: DeviceControl.Identifier] = {
        let user = Int(V4L2_CTRL_CLASS_USER) | 0x900
        let camera = Int(V4L2_CTRL_CLASS_CAMERA) | 0x900
        let flash = Int(V4L2_CTRL_CLASS_FLASH) | 0x900
        // The values of V4L2_CID_BASE, _CAMERA_CLASS_BASE and _FLASH_CLASS_BASE, macros that Swift does not import.
        return [
            user + 0: .brightness, user + 1: .contrast, user + 2: .saturation, user + 3: .hue,
            user + 12: .whiteBalanceAutomatic, user + 13: .whiteBalanceOnce, user + 14: .redBalance,
            user + 15: .blueBalance, user + 16: .gamma, user + 18: .gainAutomatic, user + 19: .gain,
            user + 20: .horizontalFlip, user + 21: .verticalFlip, user + 24: .powerLineFrequency,
            user + 25: .hueAutomatic, user + 26: .whiteBalanceTemperature, user + 27: .sharpness,
            user + 28: .backlightCompensation, user + 32: .brightnessAutomatic,
            camera + 1: .autoExposure, camera + 2: .exposureTime, camera + 10: .focus, camera + 12: .focusAutomatic,
            camera + 13: .zoom, camera + 17: .iris, camera + 19: .exposureBias, camera + 20: .whiteBalancePreset,
            camera + 23: .isoSensitivity, camera + 24: .isoSensitivityAutomatic, camera + 28: .focusOnce,
            camera + 30: .focusStatus, flash + 1: .lightMode, flash + 3: .flashStrobe, flash + 8: .torchIntensity,
        ]
    }()

    /// Creates the identifier for the kernel's number, regardless of the driver's name; nil for another control.
    init?(kernelNumber number: UInt32) {
        guard let identifier = Self.numbers[Int(number)] else { return nil }
        self = identifier
    }
}
