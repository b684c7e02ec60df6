// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The controls of an emulated USB camera: the values in the camera are asked for.
@Suite("The controls of a USB camera", .guest, .serialized)
struct USBControlTests {
    private let camera: USBCamera
    private let device: CaptureDevice

    init() throws {
        camera = try #require(try USBCamera.all().first)
        device = try CaptureDevice.named("camera:\(camera.path)")
    }

    /// Runs `body` with the device's settings, and restores the defaults.
    private func configure(_ body: (inout DeviceConfiguration) throws -> Void) throws {
        try device.lockForConfiguration { device in
            defer { try? device.resetToDefaults() }
            try body(&device)
        }
    }

    @Test("The focus is locked at a lens position, and continuous focus sets it again")
    func focus() throws {
        try configure { device in
            #expect(device.focusMode.value == .continuousAutoFocus)
            #expect(device.focusMode.choices == [.locked, .continuousAutoFocus])
            #expect(device.rawLensPosition.isInactive && device.rawLensPosition.value == 35)
            #expect(device.rawLensPosition.disabledBy == "focus_automatic_continuous")
            let error = #expect(throws: ObscuraError.self) { try device.set("focus_absolute", to: 100) }
            #expect(error?.code == .controlInactive)
            // Greater values focus nearer, in steps of 5.
            try device.setFocusModeLocked(lensPosition: 0.6)
            #expect(try camera.tell("value", "focus") == "100")
            #expect(device.focusMode.value == .locked && device.lensPosition.value == 0.6)
            try device.setFocusMode(.continuousAutoFocus)
            #expect(try camera.tell("value", "focus") == "35")
            #expect(device.rawLensPosition.value == 35)
        }
    }

    @Test("An exposure time is set in units of 100 µs, and automatic exposure sets it again")
    func exposure() throws {
        try configure { device in
            #expect(device.exposureMode.value == .continuousAutoExposure)
            #expect(device.exposureDuration.value == MediaTime(value: 25, timescale: 1000))
            try device.setExposureModeCustom(duration: MediaTime(value: 1, timescale: 100), gain: 200)
            #expect(try camera.tell("value", "exposure-time") == "100")
            #expect(try camera.tell("value", "exposure-mode") == "1")
            #expect(try camera.tell("value", "gain") == "200")
            #expect(device.exposureMode.value == .locked)
            try device.setExposureMode(.continuousAutoExposure)
            #expect(try camera.tell("value", "exposure-mode") == "8")
            #expect(device.exposureDuration.value == MediaTime(value: 25, timescale: 1000))
        }
    }

    @Test("The white balance is locked at a temperature")
    func whiteBalance() throws {
        try configure { device in
            #expect(device.whiteBalanceMode.value == .continuousAutoWhiteBalance)
            #expect(device.whiteBalanceTemperature.value == 5200)
            try device.setWhiteBalanceModeLocked(temperature: 3000)
            #expect(try camera.tell("value", "white-balance") == "3000")
            #expect(try camera.tell("value", "white-balance-auto") == "0")
        }
    }

    @Test("Zoom, pan, tilt and the mains frequency reach the camera")
    func others() throws {
        try configure { device in
            try device.setVideoZoomFactor(2)
            #expect(try camera.tell("value", "zoom") == "200")
            try device.set("pan_absolute", to: -7200)
            try device.set("tilt_absolute", to: 3600)
            #expect(try camera.tell("value", "pan-tilt") == "-7200,3600")
            #expect(throws: ObscuraError.self) { try device.set("pan_absolute", to: 39600) }
            try device.setPowerLineFrequency(.hertz60)
            #expect(try camera.tell("value", "power-line-frequency") == "2")
        }
    }

    @Test("The defaults are restored, below the automatic modes too")
    func defaults() throws {
        try configure { device in
            try device.setFocusModeLocked(lensPosition: 0)
            try device.setBrightness(255)
            try device.setWhiteBalanceModeLocked(temperature: 2800)
            try device.resetToDefaults()
        }
        #expect(try camera.tell("value", "brightness") == "128")
        #expect(try camera.tell("value", "focus-auto") == "1")
        #expect(try camera.tell("value", "white-balance-auto") == "1")
    }
}
