// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The controls of any camera of the guest, judged by `v4l2-ctl`. Each test leaves the camera as it was.
@Suite("The controls of a camera", .guest, .serialized)
struct CameraControlTests {
    private let node: String
    private let judge: JudgedControls
    private let device: CaptureDevice

    init() throws {
        node = try #require(try Lab.cameras.all().first).path
        judge = JudgedControls(node: node)
        device = try CaptureDevice.named("camera:\(node)")
    }

    @Test("Every control that v4l2-ctl lists is listed, by the same name, with the same range and value")
    func all() throws {
        let judged = try judge.list()
        let controls = Dictionary(uniqueKeysWithValues: try device.controls.map { ($0.name, $0) })
        // The emulated USB cameras have 17, vivid's more than 40.
        #expect(judged.count >= 17)
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

    @Test("What v4l2-ctl sets is read")
    func read() throws {
        try Tool.run("v4l2-ctl", ["-d", node, "-c", "contrast=33"])
        defer { try? device.lockForConfiguration { try $0.resetToDefaults() } }
        #expect(try device.lockForConfiguration { $0.contrast.value } == 33)
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
                    #expect(try judge.value("brightness") == "200")
                    #expect(device.control(named: "saturation")?.value != nil)
                    try device.resetToDefaults()
                }
            }
            if seen == 5 { break }
        }
        await session.stop()
        #expect(seen == 5)
        #expect(try judge.value("brightness") == "128")
    }

    @Test("A camera that is gone says so")
    func missing() throws {
        try Lab.cameras.unplug()
        defer { try? Lab.cameras.plug() }
        let error = #expect(throws: ObscuraError.self) { try device.controls }
        #expect(error?.code == .deviceDisconnected)
    }
}
