// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite("A device's settings in AVFoundation's words") struct DeviceConfigurationTests {
    @Test("Focus: modes, and the lens from nearest to farthest")
    func focus() throws {
        let table = ControlTable.webcam()
        try table.device().lockForConfiguration { device in
            #expect(device.focusMode.choices == [.locked, .autoFocus, .continuousAutoFocus])
            #expect(
                device.focusMode.value == .continuousAutoFocus && device.focusMode.defaultValue == .continuousAutoFocus)
            #expect(device.lensPosition.isInactive && device.lensPosition.disabledBy == "focus_automatic_continuous")
            #expect(device.lensPosition.range == 0...1 && device.lensPosition.step == 0.02)
            #expect(device.lensPosition.value == 0.8 && device.lensPosition.defaultValue == 1)
            #expect(device.rawLensPosition.range == 0...250 && device.rawLensPosition.value == 50)
            try device.setFocusModeLocked(lensPosition: 0)
            #expect(device.focusMode.value == .locked && device.rawLensPosition.value == 250)
            try device.setFocusModeLocked(lensPosition: 0.995)
            #expect(device.rawLensPosition.value == 0)
            try device.setFocusMode(.continuousAutoFocus)
            try device.setFocusMode(.autoFocus)
        }
        #expect(
            table.writes.suffix(3) == [
                "focus_automatic_continuous=1", "focus_automatic_continuous=0", "auto_focus_start=1",
            ])
    }

    @Test("A lens position that is none changes nothing, not even the mode", arguments: [-0.01, 1.01, .nan, .infinity])
    func wrongLensPosition(position: Double) throws {
        let table = ControlTable.webcam()
        let error = #expect(throws: ObscuraError.self) {
            try table.device("lens \(position)").lockForConfiguration {
                try $0.setFocusModeLocked(lensPosition: position)
            }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.reason.hasPrefix("lensPosition takes 0.0 to 1.0 in steps of 0.02, not ") == true)
        #expect(table.writes.isEmpty)
    }

    @Test("Exposure: modes, and the duration in exact time")
    func exposure() throws {
        let table = ControlTable.webcam()
        try table.device().lockForConfiguration { device in
            #expect(device.exposureMode.choices == [.locked, .custom, .continuousAutoExposure])
            #expect(device.exposureMode.value == .continuousAutoExposure)
            let duration = device.exposureDuration
            #expect(
                duration.range == MediaTime(value: 3, timescale: 10_000)...MediaTime(value: 2047, timescale: 10_000))
            #expect(duration.step == MediaTime(value: 1, timescale: 10_000))
            #expect(duration.defaultValue == MediaTime(value: 1, timescale: 40) && duration.isInactive)
            try device.setExposureModeCustom(duration: MediaTime(value: 1, timescale: 60))
            #expect(device.exposureMode.value == .locked)
            #expect(device.exposureDuration.value == MediaTime(value: 167, timescale: 10_000))
            let error = #expect(throws: ObscuraError.self) {
                try device.setExposureModeCustom(duration: MediaTime(value: 1, timescale: 1))
            }
            #expect(error?.reason == "duration takes 0.0003 s to 0.2047 s in steps of 0.0001 s, not 1.0 s")
            #expect(throws: ObscuraError.self) { try device.setExposureModeCustom(iso: 100) }
            try device.setExposureMode(.continuousAutoExposure)
        }
        #expect(table.writes == ["auto_exposure=1", "exposure_time_absolute=167", "auto_exposure=3"])
    }

    @Test("ISO, gain and bias: the nearest of those that there are")
    func iso() throws {
        let table = ControlTable.phone()
        try table.device().lockForConfiguration { device in
            #expect(device.iso.values == [100, 200, 400] && device.iso.value == 400 && device.iso.step == nil)
            #expect(device.exposureMode.choices == [.locked, .custom] && device.exposureMode.value == .locked)
            try device.setExposureModeCustom(duration: MediaTime(value: 1, timescale: 1), iso: 180, gain: 70)
            #expect(device.iso.value == 200 && device.gain.value == 70 && device.isGainAutomatic.value == false)
            let error = #expect(throws: ObscuraError.self) { try device.setExposureModeCustom(iso: 401) }
            #expect(error?.reason == "iso takes 100.0 to 400.0 (100.0, 200.0, 400.0), not 401.0")
            #expect(device.exposureTargetBias.range == -1...1)
            try device.setExposureTargetBias(-0.4)
            #expect(device.exposureTargetBias.value == -0.5)
        }
        #expect(table.value(of: "iso_sensitivity") == 1 && table.value(of: "auto_exposure_bias") == 1)
    }

    @Test("White balance: a temperature, or gains")
    func whiteBalance() throws {
        let webcam = ControlTable.webcam()
        try webcam.device().lockForConfiguration { device in
            #expect(device.whiteBalanceMode.choices == [.locked, .continuousAutoWhiteBalance])
            #expect(device.whiteBalanceTemperature.range == 2800...6500)
            #expect(!device.whiteBalanceRedGain.isSupported && device.whiteBalanceRedGain.range == nil)
            try device.setWhiteBalanceModeLocked(temperature: 5004)
            #expect(throws: ObscuraError.self) { try device.setWhiteBalanceModeLocked(redGain: 1, blueGain: 1) }
            #expect(throws: ObscuraError.self) { try device.setWhiteBalanceMode(.autoWhiteBalance) }
        }
        #expect(webcam.writes == ["white_balance_automatic=0", "white_balance_temperature=5000"])

        let phone = ControlTable.phone()
        try phone.device("phone").lockForConfiguration { device in
            #expect(device.whiteBalanceMode.value == .locked && device.whiteBalanceRedGain.isInactive)
            try device.setWhiteBalanceMode(.continuousAutoWhiteBalance)
            #expect(device.whiteBalanceMode.value == .continuousAutoWhiteBalance)
            try device.setWhiteBalanceModeLocked(redGain: 600, blueGain: 400)
        }
        #expect(
            phone.writes == [
                "white_balance_auto_preset=1", "white_balance_auto_preset=0", "red_balance=600", "blue_balance=400",
            ])
    }

    @Test("Zoom is a factor, where the driver's numbers allow one")
    func zoom() throws {
        try ControlTable.webcam().device().lockForConfiguration { device in
            #expect(device.videoZoomFactor.range == 1...5 && device.videoZoomFactor.value == 1.5)
            try device.setVideoZoomFactor(2.004)
            #expect(device.videoZoomFactor.value == 2)
            #expect(throws: ObscuraError.self) { try device.setVideoZoomFactor(0.5) }
        }
        try ControlTable.phone().device("phone").lockForConfiguration { device in
            #expect(!device.videoZoomFactor.isSupported)
            let error = #expect(throws: ObscuraError.self) { try device.setVideoZoomFactor(1) }
            #expect(error?.code == .unsupportedControl)
            try device.set("zoom_absolute", to: 5)
        }
    }

    @Test("The LED is a torch or a flash")
    func light() throws {
        let table = ControlTable.phone()
        try table.device().lockForConfiguration { device in
            #expect(device.torchMode.choices == [.off, .on] && device.torchMode.value == .off)
            try device.setTorchModeOn(level: 0.5)
            #expect(device.torchMode.value == .on && device.flashMode.value == .off)
            #expect(table.value(of: "intensity_torch_mode") == 80)
            #expect(device.canFireFlash == true)
            try device.setFlashMode(.on)
            try device.fireFlash()
        }
        #expect(table.writes.suffix(2) == ["led_mode=1", "strobe=1"])
        try ControlTable.webcam().device("webcam").lockForConfiguration { device in
            #expect(!device.torchMode.isSupported && device.torchMode.choices.isEmpty && !device.canFireFlash)
            #expect(throws: ObscuraError.self) { try device.setTorchMode(.on) }
        }
    }

    @Test("An LED is present if the device has one that can be lit")
    func led() {
        #expect(PhotoFlash.isPresent(on: ControlTable.phone().device("a phone")))
        #expect(!PhotoFlash.isPresent(on: ControlTable.webcam().device("a webcam")))
        #expect(!PhotoFlash.isPresent(on: CaptureDevice(driver: HandCamera())))
        let dead = ControlTable([
            ControlTable.Row(
                id: 1, identifier: .lightMode, name: "led_mode", kind: ControlTable.menu("Off", "Flash"),
                defaultValue: 0, value: 0, isReadOnly: true)
        ])
        #expect(!PhotoFlash.isPresent(on: dead.device("an LED that cannot be lit")))
    }

    @Test("Picture: flips, mains and plain numbers")
    func picture() throws {
        let table = ControlTable.webcam()
        try table.device().lockForConfiguration { device in
            #expect(device.isHorizontallyFlipped.value == false && device.isHorizontallyFlipped.isSupported)
            try device.setHorizontallyFlipped(true)
            #expect(device.isHorizontallyFlipped.value == true && !device.isVerticallyFlipped.isSupported)
            #expect(device.powerLineFrequency.choices == [.disabled, .hertz50, .hertz60])
            #expect(device.powerLineFrequency.value == .hertz50 && device.powerLineFrequency.defaultValue == .hertz60)
            try device.setPowerLineFrequency(.disabled)
            #expect(throws: ObscuraError.self) { try device.setPowerLineFrequency(.automatic) }
            #expect(device.brightness.step == 5 && device.brightness.defaultValue == 130)
            try device.setBrightness(44)
            #expect(device.brightness.value == 45)
            #expect(!device.saturation.isSupported)
            #expect(throws: ObscuraError.self) { try device.setSaturation(1) }
        }
    }

    /// A setting that is one control's number as it is.
    private struct PlainNumber {
        let control: DeviceControl.Identifier
        let read: (borrowing DeviceConfiguration) -> ControlRange<Int>
        let set: (inout DeviceConfiguration, Int) throws -> Void
    }

    @Test("Each plain number reads its own control, and sets that one alone")
    func plainNumbers() throws {
        let numbers = [
            PlainNumber(control: .gain, read: { $0.gain }, set: { try $0.setGain($1) }),
            PlainNumber(control: .brightness, read: { $0.brightness }, set: { try $0.setBrightness($1) }),
            PlainNumber(control: .contrast, read: { $0.contrast }, set: { try $0.setContrast($1) }),
            PlainNumber(control: .saturation, read: { $0.saturation }, set: { try $0.setSaturation($1) }),
            PlainNumber(control: .hue, read: { $0.hue }, set: { try $0.setHue($1) }),
            PlainNumber(control: .gamma, read: { $0.gamma }, set: { try $0.setGamma($1) }),
            PlainNumber(control: .sharpness, read: { $0.sharpness }, set: { try $0.setSharpness($1) }),
            PlainNumber(
                control: .backlightCompensation, read: { $0.backlightCompensation },
                set: { try $0.setBacklightCompensation($1) }),
            PlainNumber(
                control: .whiteBalanceTemperature, read: { $0.whiteBalanceTemperature },
                set: { try $0.setWhiteBalanceModeLocked(temperature: $1) }),
        ]
        let table = ControlTable(
            numbers.enumerated().map {
                ControlTable.Row(
                    id: UInt32($0), identifier: $1.control, name: $1.control.rawValue, kind: .integer(0...100, step: 1),
                    defaultValue: 50, value: Int64($0))
            })
        try table.device().lockForConfiguration { device in
            for (index, number) in numbers.enumerated() {
                let before = number.read(device).value
                try number.set(&device, 90 + index)
                let after = number.read(device).value
                #expect(before == index && after == 90 + index, "\(number.control)")
            }
        }
        #expect(table.writes == numbers.enumerated().map { "\($1.control.rawValue)=\(90 + $0)" })
    }

    @Test("Each choice reads its own control, and sets that one alone, both ways")
    func plainChoices() throws {
        let switches: [DeviceControl.Identifier] = [.gainAutomatic, .horizontalFlip, .verticalFlip]
        let mains = ControlTable.Row(
            id: 9, identifier: .powerLineFrequency, name: "mains", kind: ControlTable.menu("0", "50", "60", "auto"),
            defaultValue: 1, value: 0)
        let table = ControlTable(
            [mains]
                + switches.enumerated().map {
                    ControlTable.Row(
                        id: UInt32($0), identifier: $1, name: $1.rawValue, kind: .boolean, defaultValue: 1, value: 0)
                })
        try table.device().lockForConfiguration { device in
            for isOn in [true, false] {
                try device.setGainAutomatic(isOn)
                #expect(device.isGainAutomatic.value == isOn && device.isGainAutomatic.defaultValue == true)
                try device.setHorizontallyFlipped(isOn)
                #expect(device.isHorizontallyFlipped.value == isOn && device.isHorizontallyFlipped.defaultValue == true)
                try device.setVerticallyFlipped(isOn)
                #expect(device.isVerticallyFlipped.value == isOn && device.isVerticallyFlipped.defaultValue == true)
            }
            for frequency in [CaptureDevice.PowerLineFrequency.automatic, .hertz60, .hertz50, .disabled] {
                try device.setPowerLineFrequency(frequency)
                #expect(device.powerLineFrequency.value == frequency)
            }
        }
        #expect(
            table.writes
                == [1, 0].flatMap { value in switches.map { "\($0.rawValue)=\(value)" } }
                + ["mains=3", "mains=2", "mains=1", "mains=0"])
    }

    /// What a camera has of an automatic control and of what it governs.
    enum Part: CaseIterable, Sendable {
        case missing, readOnly, settable
    }

    @Test("The modes are those that the camera's controls allow", arguments: Part.allCases, Part.allCases)
    func modes(automatic: Part, value: Part) throws {
        func rows(
            _ part: Part, _ identifier: DeviceControl.Identifier, _ kind: DeviceControl.Kind, is number: Int64
        ) -> [ControlTable.Row] {
            guard part != .missing else { return [] }
            return [
                ControlTable.Row(
                    id: UInt32(DeviceControl.Identifier.allCases.firstIndex(of: identifier) ?? 0),
                    identifier: identifier, name: identifier.rawValue, kind: kind, defaultValue: number, value: number,
                    isReadOnly: part == .readOnly)
            ]
        }
        let menu = DeviceControl.Kind.menu([.init(index: 1, title: "Manual"), .init(index: 3, title: "Aperture")])
        let integer = DeviceControl.Kind.integer(0...100, step: 1)
        let table = ControlTable(
            rows(automatic, .autoExposure, menu, is: 3) + rows(value, .exposureTime, integer, is: 50)
                + rows(automatic, .focusAutomatic, .boolean, is: 1) + rows(value, .focus, integer, is: 50)
                + rows(automatic, .whiteBalanceAutomatic, .boolean, is: 1)
                + rows(value, .whiteBalanceTemperature, integer, is: 50))
        try table.device("\(automatic) \(value)").lockForConfiguration { device in
            let canLock = automatic == .settable || value == .settable
            let locked: [CaptureDevice.ExposureMode] = value == .settable ? [.locked, .custom] : [.locked]
            #expect(
                device.exposureMode.choices
                    == (canLock ? locked : []) + (automatic == .settable ? [.continuousAutoExposure] : []))
            #expect(
                device.focusMode.choices
                    == (canLock ? [.locked] : []) + (automatic == .settable ? [.continuousAutoFocus] : []))
            #expect(
                device.whiteBalanceMode.choices
                    == (canLock ? [.locked] : []) + (automatic == .settable ? [.continuousAutoWhiteBalance] : []))
            let isLocked = automatic == .missing && value == .settable
            #expect(
                device.exposureMode.value
                    == (automatic != .missing ? .continuousAutoExposure : isLocked ? .locked : nil))
            #expect(
                device.focusMode.value == (automatic != .missing ? .continuousAutoFocus : isLocked ? .locked : nil))
            #expect(
                device.whiteBalanceMode.value
                    == (automatic != .missing ? .continuousAutoWhiteBalance : isLocked ? .locked : nil))
        }
    }

    @Test("An automatic control that cannot be switched off locks nothing, whatever it governs")
    func alwaysAutomatic() throws {
        let table = ControlTable([
            ControlTable.Row(
                id: 1, identifier: .autoExposure, name: "auto", kind: .menu([.init(index: 3, title: "Aperture")]),
                defaultValue: 3, value: 3),
            ControlTable.Row(
                id: 2, identifier: .exposureTime, name: "time", kind: .integer(1...100, step: 1), defaultValue: 1,
                value: 1),
        ])
        try table.device().lockForConfiguration { device in
            #expect(device.exposureMode.choices == [.continuousAutoExposure])
            let error = #expect(throws: ObscuraError.self) { try device.setExposureMode(.locked) }
            #expect(error?.code == .unsupportedControl)
        }
        #expect(table.writes.isEmpty)
    }

    @Test("What the camera changes by itself is seen after an update")
    func update() throws {
        let table = ControlTable.webcam()
        try table.device().lockForConfiguration { device in
            table.change("zoom_absolute", to: 300)
            #expect(device.videoZoomFactor.value == 1.5)
            try device.update()
            #expect(device.videoZoomFactor.value == 3)
        }
    }

    @Test("A control of another kind than its number promises refuses what its kind does not have")
    func lying() throws {
        let kinds: [DeviceControl.Kind] = [
            .button, .bitmask(7), .unsupported("?"), .menu([]), .integer(0...0, step: 1),
            .integer(.min ... .max, step: .max),
        ]
        for kind in kinds {
            let rows = DeviceControl.Identifier.allCases.enumerated().map {
                ControlTable.Row(
                    id: UInt32($0), identifier: $1, name: $1.rawValue, kind: kind, defaultValue: .max, value: .min)
            }
            let table = ControlTable(rows)
            var results: [Bool] = []
            func attempt(_ body: () throws -> Void) {
                do {
                    try body()
                    results.append(true)
                } catch {
                    results.append(false)
                }
            }
            try table.device("\(kind)").lockForConfiguration { device in
                _ = (device.focusMode, device.lensPosition, device.exposureMode, device.exposureDuration, device.iso)
                _ = (device.whiteBalanceMode, device.videoZoomFactor, device.torchMode, device.torchLevel, device.hue)
                attempt { try device.setFocusModeLocked(lensPosition: 0.3) }
                attempt {
                    try device.setExposureModeCustom(
                        duration: MediaTime(value: .max, timescale: 1), iso: 1e300, gain: .max)
                }
                attempt { try device.setExposureModeCustom(duration: .zero) }
                attempt { try device.setVideoZoomFactor(1e30) }
                attempt { try device.setTorchModeOn(level: 1) }
                attempt { try device.setWhiteBalanceModeLocked(temperature: .min) }
                attempt { try device.resetToDefaults() }
            }
            // Only the reset can be done, with what can be reset.
            #expect(results == [false, false, false, false, false, false, true], "\(kind)")
            if kind == .menu([]) || kind == .unsupported("?") { #expect(table.writes.isEmpty, "\(kind)") }
        }
    }
}
