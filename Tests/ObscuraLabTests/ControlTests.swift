// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// vivid's controls, judged by `v4l2-ctl`. Serialized: there is one camera, and each test leaves it as it was.
@Suite("The controls of a camera of the kernel", .serialized, .guest)
struct ControlTests {
    private let node: String
    private let device: CaptureDevice

    init() throws {
        node = try #require(try VividCamera.all().first).path
        device = try CaptureDevice.named("camera:\(node)")
    }

    /// What `v4l2-ctl` reads, such as `128`.
    private func judged(_ name: String) throws -> String {
        let text = String(decoding: try Tool.run("v4l2-ctl", ["-d", node, "-C", name]), as: UTF8.self)
        return text.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    /// What `v4l2-ctl` lists: the names, in order, and what it says of each.
    private func judgedList() throws -> [(name: String, words: String)] {
        let text = String(decoding: try Tool.run("v4l2-ctl", ["-d", node, "-l"]), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            guard let type = line.range(of: #" 0x[0-9a-f]+ \("#, options: .regularExpression) else { return nil }
            return (line[..<type.lowerBound].trimmingCharacters(in: .whitespaces), String(line[type.upperBound...]))
        }
    }

    @Test("Every control that v4l2-ctl lists is listed, by the same name, with the same range and value")
    func all() throws {
        let judged = try judgedList()
        let controls = Dictionary(uniqueKeysWithValues: try device.controls.map { ($0.name, $0) })
        #expect(judged.count > 40)
        for (name, words) in judged {
            let control = try #require(controls[name], "\(name)")
            let fields = words.split(separator: " ").reduce(into: [String: String]()) { fields, word in
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            #expect(control.isInactive == (fields["flags"]?.contains("inactive") ?? false), "\(name): \(words)")
            switch control.kind {
            case .integer(let range, let step):
                #expect(fields["min"] == "\(range.lowerBound)" && fields["max"] == "\(range.upperBound)", "\(words)")
                #expect(fields["step"] == "\(step)" && fields["default"] == control.defaultValue.map { "\($0)" })
                // What is volatile moves between the two readings.
                if !words.contains("volatile") { #expect(fields["value"] == control.value.map { "\($0)" }, "\(name)") }
            case .boolean, .menu, .integerMenu:
                #expect(fields["default"] == control.defaultValue.map { "\($0)" }, "\(name): \(words)")
                #expect(fields["value"] == control.value.map { "\($0)" }, "\(name): \(words)")
            case .bitmask(let mask):
                #expect(fields["max"].flatMap { Int64($0.dropFirst(2), radix: 16) } == mask, "\(name): \(words)")
            case .button: #expect(words.hasPrefix("button"))
            case .unsupported:
                #expect(
                    ["str", "u8", "u16", "u32", "int", "area", "unknown"].contains { words.hasPrefix($0) }
                        || words.contains("dims"), "\(name): \(words)")
            }
        }
    }

    @Test("Every kind can be set, and v4l2-ctl reads back what was set")
    func everyKind() throws {
        try device.lockForConfiguration { device in
            defer { try? device.resetToDefaults() }
            try device.setBrightness(77)
            #expect(try judged("brightness") == "77")
            #expect(device.brightness.value == 77)
            try device.setHorizontallyFlipped(true)
            #expect(try judged("horizontal_flip") == "1")
            let wide: Int64 = 0x12_3456_789a
            for (name, value, words) in [
                ("boolean", Int64(0), "0"), ("menu", 4, "4"), ("integer_menu", 6, "6"),
                ("integer_64_bits", wide, "\(wide)"),
                ("integer_32_bits", -5, "-5"), ("bitmask", 0x8000_2010, "\(Int32(truncatingIfNeeded: 0x8000_2010))"),
            ] {
                try device.set(name, to: value)
                #expect(try judged(name).hasPrefix(words), "\(name)")
                #expect(device.control(named: name)?.value == value, "\(name)")
            }
            try device.set("button", to: 1)
        }
        #expect(try judged("brightness") == "128")
        #expect(try judged("horizontal_flip") == "0")
    }

    @Test("What v4l2-ctl sets is read")
    func read() throws {
        try Tool.run("v4l2-ctl", ["-d", node, "-c", "contrast=33"])
        defer { try? device.lockForConfiguration { try $0.resetToDefaults() } }
        #expect(try device.lockForConfiguration { $0.contrast.value } == 33)
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
            #expect(try judged("gain") == "50")
        }
    }

    @Test("Controls are read and set while a session has the camera, and its frames go on")
    func whileStreaming() async throws {
        let session = CaptureSession()
        let output = VideoDataOutput()
        let input = try CaptureDeviceInput(device: device)
        try await session.configure { configuration in
            try configuration.addInput(input)
            try configuration.addOutput(output)
        }
        try await session.start()
        var seen = 0
        for try await _ in output.frames {
            seen += 1
            if seen == 2 {
                try device.lockForConfiguration { device in
                    try device.setBrightness(200)
                    #expect(try judged("brightness") == "200")
                    #expect(device.control(named: "saturation")?.value != nil)
                    try device.resetToDefaults()
                }
            }
            if seen == 5 { break }
        }
        await session.stop()
        #expect(seen == 5)
        #expect(try judged("brightness") == "128")
    }

    @Test("The driver's plain numbers can be asked for one by one")
    func single() throws {
        let node = try V4L2Device(path: node)
        #expect(node.integerControl(0x0098_0900) == 128)
        #expect(node.integerControl(0x009a_0922) == nil, "vivid has no orientation")
        #expect(node.integerControl(0) == nil && node.integerControl(.max) == nil)
    }

    @Test("A camera that is gone says so")
    func missing() throws {
        try VividCamera.unplug()
        defer { try? VividCamera.plug() }
        let error = #expect(throws: ObscuraError.self) { try device.controls }
        #expect(error?.code == .deviceDisconnected)
    }
}
