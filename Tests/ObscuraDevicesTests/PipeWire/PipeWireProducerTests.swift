// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

@Suite("Producers of PipeWire that do what they must not", .pipeWireSession, .hangLimit, .serialized)
struct PipeWireProducerTests {
    @Test("Memory that is too small, or may become so, is an error", arguments: ["short", "shrinkable"])
    func unsafeMemory(_ kind: String) async throws {
        let session = try await PipeWireSession.shared
        // More than a page: the rest of the last page of a file can be read.
        let camera = try await session.camera(
            ["--dma", "yes", "--memory", kind, "--sizes", "640x480", "--rate", "200"])
        let record = FrameRecord()
        let run = try await session.driver(camera.name).makeRun(RunRequest(), sink: record, clock: SystemClock())
        _ = try await onThread { Result { try run.start() } }.get()
        #expect(await becomes { record.account.withLock { $0.error } != nil })
        await onThread { run.stop() }
        #expect(record.account.withLock { $0.error }?.code == .deviceFailed)
        #expect(record.frames == 0)
    }

    @Test("A malformed format is ignored, and the others of the camera are used")
    func malformed() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(["--malformed", "yes", "--sizes", "64x48"])
        let driver = try await session.driver(camera.name)
        #expect(driver.formats == [VideoFormat(pixelFormat: .yuyv, width: 64, height: 48, frameRate: FrameRate(30))])
    }
}
