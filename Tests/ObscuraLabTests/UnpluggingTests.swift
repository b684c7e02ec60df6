// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// The plug is pulled and put in again.
@Suite("An unplugged camera", .guest, .serialized)
struct UnpluggingTests {
    private static let rounds = isLongForm || Lab.cameras == USBCamera.self ? 20 : 3

    private func frame(
        _ frames: inout VideoDataOutput.Frames.Iterator, isDiscontinuity: Bool
    ) async throws -> VideoFrame? {
        while let frame = try await frames.next() {
            if frame.attachments.isDiscontinuity == isDiscontinuity { return frame }
        }
        return nil
    }

    @Test("The session waits and goes on by itself when the camera is back, again and again")
    func replugging() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        _ = try await frames.next()
        let descriptors = try Lab.descriptors()
        for round in 0..<Self.rounds {
            try Lab.cameras.unplug()
            #expect(
                await becomes {
                    run.events.all.filter { $0 == "interrupted: deviceDisconnected" }.count == round + 1
                }, "round \(round): \(run.events.all)")
            try Lab.cameras.plug()
            let back = HostTime.now
            let first = try #require(try await frame(&frames, isDiscontinuity: true))
            Lab.report("resumed \(first.attachments.dequeueTime.map { $0 - back } ?? .zero) after the plug")
            #expect(try await frame(&frames, isDiscontinuity: false) != nil)
            #expect(
                await becomes { (try? Lab.descriptors()) == descriptors },
                "round \(round): \((try? Lab.descriptors()) ?? []) instead of \(descriptors)")
        }
        // The buffers that the driver returns unfilled are no frames.
        #expect(run.session.ledger.inputs.first?.lost == 0)
        await run.session.stop()
        #expect(await becomes { PixelBuffer.liveCount == 0 })
        #expect(await becomes { (try? Lab.descriptors().isEmpty) == true })
        run.expectBalance()
    }

    @Test("Any errno of a camera that is gone is deviceDisconnected")
    func errors() throws {
        let device = try V4L2Device(path: #require(try Lab.cameras.all().first).path)
        #expect(device.failure(EINVAL, "it fails").code == .deviceFailed)
        defer { try? Lab.cameras.plug() }
        try Lab.cameras.unplug()
        #expect(device.failure(EINVAL, "it fails").code == .deviceDisconnected)
    }

    @Test("A picture that is held outlives the camera")
    func heldPicture() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        var held = [try #require(try await frames.next())]
        let before = held[0].buffer.packedBytes()
        try Lab.cameras.unplug()
        #expect(await becomes { run.events.all.last == "interrupted: deviceDisconnected" })
        #expect(held[0].buffer.packedBytes() == before)
        try Lab.cameras.plug()
        #expect(try await frame(&frames, isDiscontinuity: true) != nil)
        await run.session.stop()
        #expect(held[0].buffer.packedBytes() == before)
        held.removeAll()
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }

    @Test("A camera whose driver disconnects is missed, and ends the readers where that is asked for")
    func disconnect() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer {
            try? Lab.cameras.unplug()
            try? Lab.cameras.plug()
        }
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output], whenDisconnected: .end)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        _ = try await frames.next()
        try camera.disconnect()
        let error = await #expect(throws: ObscuraError.self) {
            while try await frames.next() != nil {}
        }
        #expect(error?.code == .deviceDisconnected)
        #expect(await becomes { run.events.all.last == "stopped" })
    }

    @Test("Cameras that go and come are told")
    func events() async throws {
        let paths = try Lab.cameras.all().map(\.path)
        let known = CaptureDevice.DiscoverySession().devices.filter { paths.contains($0.path ?? "") }.map(\.uniqueID)
        #expect(known.count == 2)
        let (events, told) = (CaptureDevice.events, Lock<[String]>([]))
        let listening = Task {
            for await event in events {
                switch event {
                case .connected(let device): told.withLock { $0.append("+" + device.uniqueID) }
                case .disconnected(let device): told.withLock { $0.append("-" + device.uniqueID) }
                }
            }
        }
        defer { listening.cancel() }
        defer { try? Lab.cameras.plug() }
        // Each waits for what is told of the one before: the second camera comes later than the first, and a plug that
        // is pulled again too soon would hide it.
        try Lab.cameras.unplug()
        #expect(
            await becomes { told.withLock { told in known.allSatisfy { told.contains("-" + $0) } } },
            "\(told.withLock { $0 })")
        try Lab.cameras.plug()
        #expect(
            await becomes { told.withLock { told in known.allSatisfy { told.contains("+" + $0) } } },
            "\(told.withLock { $0 })")
        #expect(
            await becomes {
                Set(known).isSubset(of: CaptureDevice.DiscoverySession().devices.map(\.uniqueID))
            })
    }
}
