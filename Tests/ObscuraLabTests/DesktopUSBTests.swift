// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// Emulated USB cameras that the session manager of PipeWire offers, beside the kernel.
@Suite("USB cameras by PipeWire", .desktop, .serialized)
final class DesktopUSBTests {
    private static let model = "1d6b:0102"

    deinit {
        CaptureDevice.preferredDriver = nil
    }

    /// The two cameras, once PipeWire has them.
    private func cameras(_ driver: CameraDriverKind) async throws -> [CaptureDevice] {
        CaptureDevice.preferredDriver = driver
        return try await Desktop.cameras(2) {
            $0.modelID == Self.model
                && $0.driverSelection == CameraDriverSelection(driver: driver, reason: .isPreferred)
        }
    }

    @Test("Each camera is one device, by whichever driver it is used")
    func listing() async throws {
        let byPipeWire = try await cameras(.pipeWire)
        let byKernel = try await cameras(.v4l2)
        #expect(byPipeWire.map(\.uniqueID) == byKernel.map(\.uniqueID))
        #expect(byPipeWire.map(\.localizedName) == byKernel.map(\.localizedName))
        #expect(byPipeWire.allSatisfy { $0.localizedName.hasPrefix("Lab camera") && $0.deviceType == .external })
        let usb = CaptureDevice.DiscoverySession().devices.filter { $0.localizedName.contains("Lab camera") }
        #expect(usb.count == 2, "\(usb.map(\.uniqueID))")
    }

    /// A session on the first camera, with 10 frames per second of Y′CbCr.
    private func session(_ output: VideoDataOutput) async throws -> CameraSession {
        let camera = try #require(try await cameras(.pipeWire).first)
        let format = try #require(
            camera.formats.first { $0.pixelFormat == .yuyv && $0.width == 160 && $0.frameRate == FrameRate(10) })
        return try await CameraSession(device: camera, format: format, outputs: [output])
    }

    @Test("300 frames keep their numbers while they are held, and what is missing is counted")
    func frames() async throws {
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await session(output)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        var held: [VideoFrame] = []
        var offsets: [Int64?] = []
        while offsets.count < 300 {
            let frame = try #require(try await frames.next())
            offsets.append(offset(frame))
            if held.count < 4 { held.append(frame) }
        }
        let input = run.session.ledger.inputs.first
        await run.session.stop()
        // PipeWire fills its buffers again although readers hold them.
        Lab.report("\(input.map { "\($0)" } ?? "")")
        offsets += held.map { offset($0) }
        #expect(Set(offsets).count == 1 && offsets[0] != nil, "\(offsets)")
        run.expectBalance()
    }

    /// How far the number in a picture is ahead of the frame's.
    private func offset(_ frame: VideoFrame) -> Int64? {
        PatternScene.readSequence(of: frame.buffer).map { Int64($0) - Int64(frame.sequence) }
    }

    @Test("A camera that is unplugged while PipeWire streams it is an interruption, again and again")
    func unplugging() async throws {
        defer { try? USBCamera.plug() }
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await session(output)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        var expected = ["started"]
        for _ in 0..<(isLongForm ? 20 : 5) {
            try USBCamera.unplug()
            expected.append("interrupted: deviceDisconnected")
            #expect(await becomes { run.events.all == expected }, "\(run.events.all)")
            try USBCamera.plug()
            var frame = try await frames.next()
            while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
            expected.append("interruption ended")
            #expect(await becomes { run.events.all == expected }, "\(run.events.all)")
        }
        await run.session.stop()
    }
}
