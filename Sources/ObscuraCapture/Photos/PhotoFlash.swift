// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The LED of a camera as the flash of a photo. Its methods block the calling thread; do not call them on an executor.
struct PhotoFlash: Sendable {
    /// The number of frames in which the camera adapts its exposure to the lit LED.
    static let settlingFrames = 2

    private let device: CaptureDevice
    /// The former state of the LED.
    private let formerMode: Int64?
    /// The time at which the LED was lit.
    let moment: HostTime
    /// Whether the LED flashes once, instead of staying lit until it is turned off.
    let isStrobe: Bool

    /// Whether the device has an LED that can be lit.
    static func isPresent(on device: CaptureDevice) -> Bool {
        let controls = try? device.controls
        return controls?.contains { $0.identifier == .lightMode && !$0.isReadOnly } ?? false
    }

    /// Lights the LED: as a flash, or as a torch if it cannot flash.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedControl`` for a device without an LED, and errors of the
    ///   device.
    init(of device: CaptureDevice) throws(ObscuraError) {
        self.device = device
        guard Self.isPresent(on: device) else { throw .noLED(device) }
        do {
            (formerMode, isStrobe) = try device.lockForConfiguration { camera in
                let former = camera.control(.lightMode)?.value
                if camera.canFireFlash, camera.flashMode.choices.contains(.on) {
                    try camera.setFlashMode(.on)
                    try camera.fireFlash()
                    return (former, true)
                }
                guard camera.torchMode.choices.contains(.on) else {
                    throw ObscuraError.noLED(device)
                }
                try camera.setTorchMode(.on)
                return (former, false)
            }
        } catch {
            throw ObscuraError(wrapping: error, as: .capture, .deviceFailed, subject: device.localizedName)
        }
        moment = .now
    }

    /// Restores the former state of the LED. A disconnected camera is not an error.
    func putOut() {
        _ = try? device.lockForConfiguration { camera in
            guard let control = camera.control(.lightMode) else { return }
            try camera.set(control.name, to: formerMode ?? 0)
        }
    }

    /// Whether the frame is so dark that a flash helps: its mean luma is below 50 of 255.
    static func isDark(_ picture: PixelBuffer) -> Bool {
        guard let luma = LumaSampler(picture) else { return false }
        let steps = 16
        var sum = 0
        for row in 0..<steps {
            for column in 0..<steps {
                sum += luma.value(
                    x: (2 * column + 1) * picture.width / (2 * steps), y: (2 * row + 1) * picture.height / (2 * steps))
            }
        }
        return sum / (steps * steps) < 50
    }
}

extension ObscuraError {
    fileprivate static func noLED(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedControl, subject: device.localizedName, reason: "it has no LED for the flash",
            advice: "Set flash to auto or off.")
    }
}
