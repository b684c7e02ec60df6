// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// vivid's controls, judged by `v4l2-ctl`. Serialized: there is one camera, and each test leaves it as it was.
@Suite("The controls of a camera of the kernel", .serialized, .guest)
struct ControlTests {
    private let node: String
    private let judge: JudgedControls
    private let device: CaptureDevice

    init() throws {
        node = try #require(try VividCamera.all().first).path
        judge = JudgedControls(node: node)
        device = try CaptureDevice.named("camera:\(node)")
    }

    @Test("Every kind can be set, and v4l2-ctl reads back what was set")
    func everyKind() throws {
        try device.lockForConfiguration { device in
            defer { try? device.resetToDefaults() }
            try device.setBrightness(77)
            #expect(try judge.value("brightness") == "77")
            #expect(device.brightness.value == 77)
            try device.setHorizontallyFlipped(true)
            #expect(try judge.value("horizontal_flip") == "1")
            let wide: Int64 = 0x12_3456_789a
            for (name, value, words) in [
                ("boolean", Int64(0), "0"), ("menu", 4, "4"), ("integer_menu", 6, "6"),
                ("integer_64_bits", wide, "\(wide)"),
                ("integer_32_bits", -5, "-5"), ("bitmask", 0x8000_2010, "\(Int32(truncatingIfNeeded: 0x8000_2010))"),
            ] {
                try device.set(name, to: value)
                #expect(try judge.value(name).hasPrefix(words), "\(name)")
                #expect(device.control(named: name)?.value == value, "\(name)")
            }
            try device.set("button", to: 1)
        }
        #expect(try judge.value("brightness") == "128")
        #expect(try judge.value("horizontal_flip") == "0")
    }

    @Test("Out of range is refused before the driver can bend it")
    func outOfRange() throws {
        try device.lockForConfiguration { device in
            let before = device.brightness.value
            for value in [-1, 256, .max, .min] {
                let error = #expect(throws: ObscuraError.self) { try device.setBrightness(value) }
                #expect(error?.code == .invalidValue && error?.reason.contains("0 to 255") == true)
            }
            for (name, value) in [("menu", Int64(0)), ("menu", 99), ("bitmask", 1), ("horizontal_flip", 2)] {
                #expect(throws: ObscuraError.self, "\(name)=\(value)") { try device.set(name, to: value) }
            }
            #expect(device.brightness.value == before)
        }
    }

    @Test("The automatic gain governs the gain, and the error says so")
    func governed() throws {
        try device.lockForConfiguration { device in
            defer { try? device.resetToDefaults() }
            try device.setGainAutomatic(true)
            #expect(device.gain.isInactive && device.gain.disabledBy == "gain_automatic")
            let error = #expect(throws: ObscuraError.self) { try device.setGain(50) }
            #expect(error?.code == .controlInactive)
            #expect(error?.advice == "Set gain_automatic to 0 first.")
            try device.setGainAutomatic(false)
            try device.setGain(50)
            #expect(try judge.value("gain") == "50")
        }
    }

    @Test("The driver's plain numbers can be asked for one by one")
    func single() throws {
        let node = try V4L2Device(path: node)
        #expect(node.integerControl(0x0098_0900) == 128)
        #expect(node.integerControl(0x009a_0922) == nil, "vivid has no orientation")
        #expect(node.integerControl(0) == nil && node.integerControl(.max) == nil)
    }
}
