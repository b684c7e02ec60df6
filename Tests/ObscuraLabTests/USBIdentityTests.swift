// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The names of emulated USB cameras, and the camera that a session takes when one is plugged in.
@Suite("The identity of a USB camera", .guest, .serialized)
struct USBIdentityTests {
    private static let place = "platform-vhci_hcd.0-usb-0:"

    private func devices() -> [CaptureDevice] {
        CaptureDevice.DiscoverySession().devices.filter { $0.modelID == "1d6b:0102" }
            .sorted { ($0.path ?? "") < ($1.path ?? "") }
    }

    @Test("A camera is listed once, with the names of its descriptors")
    func names() throws {
        let devices = devices()
        let serials = devices.map(\.uniqueID)
        #expect(serials == ["LAB0001", "LAB0002"].map { "usb-Obscura_Lab_camera_\($0)-video-index0" })
        #expect(devices.allSatisfy { $0.localizedName.hasPrefix("Lab camera") && $0.manufacturer == "Obscura" })
        #expect(Set(devices.map(\.localizedName)).count == 2)
        #expect(try devices.map(\.path) == USBCamera.all().map(\.path))
    }

    @Test(
        "Two cameras without serial numbers, or with the same one, have the names of their ports",
        arguments: ["", "TWIN"])
    func duplicates(serial: String) throws {
        defer { try? USBCamera.reset() }
        try USBCamera.unplug()
        for number in 0..<2 { try USBCamera.plug(number, serial: serial) }
        let names = devices().map(\.uniqueID)
        #expect(names == ["\(Self.place)1:1.0-video-index0", "\(Self.place)2:1.0-video-index0"])
    }

    @Test("Another camera in the port of the disconnected one is not taken for it")
    func otherCamera() async throws {
        defer { try? USBCamera.reset() }
        let camera = try #require(try USBCamera.all().first)
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        try camera.disconnect()
        #expect(await becomes { run.events.all.last == "interrupted: deviceDisconnected" })
        try USBCamera.plug(0, serial: "OTHER")
        #expect(await becomes { devices().contains { $0.uniqueID.contains("OTHER") } })
        // It is free for others while the session waits.
        try Lab.run("v4l2-ctl", "--device", camera.path, "--stream-mmap", "--stream-count", "3")
        #expect(run.events.all.last == "interrupted: deviceDisconnected")
        try camera.disconnect()
        try USBCamera.plug(0, serial: "LAB0001")
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        await run.session.stop()
    }

    @Test("A camera without a serial number is found again in its port")
    func withoutSerial() async throws {
        defer { try? USBCamera.reset() }
        try #require(try USBCamera.all().first).disconnect()
        try USBCamera.plug(0, serial: "")
        let camera = try #require(try USBCamera.all().first)
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        try camera.disconnect()
        #expect(await becomes { run.events.all.last == "interrupted: deviceDisconnected" })
        try USBCamera.plug(0)
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        await run.session.stop()
    }
}
