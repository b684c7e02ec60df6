// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

@Suite("A control by its name") struct ControlTests {
    @Test(
        "Names are made as v4l2-ctl makes them",
        arguments: [
            ("White Balance, Automatic", "white_balance_automatic"), ("Exposure (Absolute)", "exposure_absolute"),
            ("  Zoom,  Absolute!", "zoom_absolute"), ("LED1 Mode", "led1_mode"), ("", ""), ("—", ""),
            ("Größe", "gr_e"), ("a/b", "a_b"),
        ])
    func naming(title: String, name: String) {
        #expect(DeviceControl.name(of: title) == name)
    }

    @Test("What an automatic control governs is inactive, and says by which")
    func explained() throws {
        let table = ControlTable.webcam()
        let device = table.device()
        let controls = try device.controls
        let governed = controls.filter(\.isInactive)
        #expect(governed.map(\.name) == ["white_balance_temperature", "exposure_time_absolute", "focus_absolute"])
        #expect(
            governed.map(\.disabledBy) == [
                "white_balance_automatic", "auto_exposure", "focus_automatic_continuous",
            ])
        table.change("auto_exposure", to: 1)
        let time = try #require(try device.controls.first { $0.identifier == .exposureTime })
        #expect(!time.isInactive && time.disabledBy == nil)
    }

    @Test("A control that is inactive for another reason names nobody")
    func otherReason() throws {
        let controls = [
            DeviceControl(id: 1, identifier: .gainAutomatic, name: "a", title: "", kind: .boolean, value: 0),
            DeviceControl(
                id: 2, identifier: .gain, name: "gain", title: "", kind: .integer(0...1, step: 1), isInactive: true),
        ]
        #expect(AutomaticControl.explain(controls)[1].disabledBy == nil)
    }

    @Test("Setting what is governed names the governor and how to switch it off, and touches nothing")
    func inactive() throws {
        let table = ControlTable.webcam()
        let error = #expect(throws: ObscuraError.self) {
            try table.device().lockForConfiguration { try $0.set("exposure_time_absolute", to: 50) }
        }
        #expect(error?.code == .controlInactive)
        #expect(error?.reason == "exposure_time_absolute is currently controlled by auto_exposure")
        #expect(error?.advice == "Set auto_exposure to 1 first.")
        #expect(table.writes.isEmpty)
    }

    @Test("A driver that only refuses is explained as well")
    func refusal() throws {
        let table = ControlTable.phone()
        let error = #expect(throws: ObscuraError.self) {
            try table.device().lockForConfiguration { try $0.setGain(50) }
        }
        #expect(error?.code == .controlInactive && error?.errno == 5)
        #expect(error?.advice == "Set gain_automatic to 0 first.")
        table.change("gain_automatic", to: 0)
        table.breakRow("gain")
        let other = #expect(throws: ObscuraError.self) {
            try table.device().lockForConfiguration { try $0.setGain(50) }
        }
        #expect(other?.code == .deviceFailed)
    }

    @Test("Between two steps the nearer one is taken", arguments: [(127, 125), (128, 130), (255, 255), (0, 0)])
    func rounded(value: Int64, taken: Int64) throws {
        let table = ControlTable.webcam()
        try table.device("rounded \(value)").lockForConfiguration { try $0.set("brightness", to: value) }
        #expect(table.value(of: "brightness") == taken)
    }

    @Test("The greatest ranges that a driver can name do not overflow")
    func widest() throws {
        let kind = DeviceControl.Kind.integer(.min ... .max, step: .max)
        let control = DeviceControl(id: 1, name: "wide", title: "", kind: kind)
        #expect(try control.accepted(.max, on: "") == .max - 1)
        #expect(try control.accepted(.min, on: "") == .min)
        #expect(try control.accepted(0, on: "") == -1)
        let unstepped = DeviceControl(id: 1, name: "zero", title: "", kind: .integer(0...10, step: 0))
        #expect(try unstepped.accepted(7, on: "") == 7)
        #expect(unstepped.numbers?.range == 0...10)
    }

    @Test("Out of range is an error that names the range and the step")
    func outOfRange() throws {
        let table = ControlTable.webcam()
        try table.device().lockForConfiguration { device in
            for (name, value, words) in [
                ("brightness", Int64(256), "brightness takes 0 to 255 in steps of 5, not 256"),
                ("auto_exposure", 2, "auto_exposure takes 1 (Manual Mode), 3 (Aperture Priority Mode), not 2"),
                ("horizontal_flip", 2, "horizontal_flip takes 0 (off) or 1 (on), not 2"),
            ] {
                let error = #expect(throws: ObscuraError.self) { try device.set(name, to: value) }
                #expect(error?.code == .invalidValue)
                #expect(error?.reason == words)
            }
        }
        #expect(table.writes.isEmpty)
    }

    @Test("What only tells something, and what is no number, cannot be set", arguments: ["privacy", "serial"])
    func notSettable(name: String) throws {
        let error = #expect(throws: ObscuraError.self) {
            try ControlTable.webcam().device(name).lockForConfiguration { try $0.set(name, to: 0) }
        }
        #expect(error?.code == .unsupportedControl)
    }

    @Test("An unknown name is an error with near names")
    func unknown() throws {
        try ControlTable.webcam().device().lockForConfiguration { device in
            let error = #expect(throws: ObscuraError.self) { try device.set("brigthness", to: 1) }
            #expect(error?.code == .unsupportedControl)
            #expect(error?.advice == "Did you mean brightness?")
            let part = #expect(throws: ObscuraError.self) { try device.set("focus", to: 1) }
            #expect(part?.advice?.contains("focus_absolute") == true)
            let far = #expect(throws: ObscuraError.self) { try device.set("xyz", to: 1) }
            #expect(far?.remedy == .listControls)
            #expect(throws: ObscuraError.self) { try device.set("", to: 1) }
            #expect(throws: ObscuraError.self) { try device.set(String(repeating: "ä", count: 5000), to: 1) }
        }
    }

    @Test("Controls answer to the names of old and of new kernels", arguments: [false, true])
    func ages(isOld: Bool) throws {
        let table = ControlTable.webcam(oldNames: isOld)
        try table.device("ages \(isOld)").lockForConfiguration { device in
            for name in ["exposure_auto", "auto_exposure"] {
                #expect(device.control(named: name)?.identifier == .autoExposure)
            }
            try device.set(isOld ? "focus_automatic_continuous" : "focus_auto", to: false)
            #expect(device.focusMode.value == .locked)
            #expect(device.exposureMode.value == .continuousAutoExposure)
        }
    }

    @Test("A bit that is not in the mask is refused, also the highest")
    func bitmask() throws {
        let table = ControlTable([.init(id: 1, name: "mask", kind: .bitmask(0x8000_0001), defaultValue: 0, value: 0)])
        try table.device().lockForConfiguration { device in
            try device.set("mask", to: 0x8000_0000)
            #expect(device.control(named: "mask")?.value == 0x8000_0000)
            #expect(throws: ObscuraError.self) { try device.set("mask", to: 2) }
            #expect(throws: ObscuraError.self) { try device.set("mask", to: -1) }
        }
    }

    @Test("Reset gives all defaults: what is governed by what becomes automatic first")
    func reset() throws {
        let table = ControlTable.webcam()
        table.change("auto_exposure", to: 1)
        table.change("focus_automatic_continuous", to: 0)
        try table.device().lockForConfiguration { try $0.resetToDefaults() }
        #expect(
            table.writes == [
                "power_line_frequency=2", "exposure_time_absolute=250", "focus_absolute=0", "zoom_absolute=100",
                "auto_exposure=3", "focus_automatic_continuous=1",
            ])
    }

    @Test("Reset goes on after a refusal, and throws it")
    func resetRefused() throws {
        let table = ControlTable.webcam()
        table.breakRow("power_line_frequency")
        let error = #expect(throws: ObscuraError.self) {
            try table.device().lockForConfiguration { try $0.resetToDefaults() }
        }
        #expect(error?.code == .deviceFailed)
        #expect(table.value(of: "zoom_absolute") == 100)
    }

    @Test("Reset frees what was governed only until then")
    func resetFrees() throws {
        let table = ControlTable([
            .init(
                id: 1, identifier: .gain, name: "gain", kind: .integer(0...9, step: 1), defaultValue: 3, value: 7,
                governor: ("gain_automatic", [0])),
            .init(id: 2, identifier: .gainAutomatic, name: "gain_automatic", kind: .boolean, defaultValue: 0, value: 1),
        ])
        try table.device().lockForConfiguration { try $0.resetToDefaults() }
        #expect(table.writes == ["gain_automatic=0", "gain=3"])
    }

    @Test("A device without controls says so")
    func none() {
        let error = #expect(throws: ObscuraError.self) { try HandCamera().device.controls }
        #expect(error?.code == .unsupportedControl)
        #expect(throws: ObscuraError.self) { try HandCamera().device.lockForConfiguration { $0.controls.count } }
    }
}
