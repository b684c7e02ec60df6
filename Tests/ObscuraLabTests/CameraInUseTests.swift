// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Two programs want one camera.
@Suite("A camera in use", .guest, .serialized)
struct CameraInUseTests {
    private let camera: any GuestCamera

    init() throws {
        camera = try #require(try Lab.cameras.all().first)
    }

    /// Another program that streams from the camera.
    private func holder() async throws -> BackgroundTool {
        let tool = try BackgroundTool("v4l2-ctl", ["--device", camera.path, "--stream-mmap"])
        // It says a sign for each frame.
        #expect(await becomes { !tool.words.isEmpty })
        return tool
    }

    @Test("The second gets an error that names the first")
    func refused() async throws {
        let holder = try await holder()
        defer { holder.stop() }
        let run = try await CameraSession(camera.path, outputs: [VideoDataOutput()])
        let error = await #expect(throws: ObscuraError.self) { try await run.session.start() }
        #expect(error?.code == .deviceInUse)
        #expect(error?.holders.map(\.pid) == [holder.identifier])
        #expect(
            error?.description.contains("v4l2-ctl (pid \(holder.identifier))") == true, "\(error?.description ?? "")")
        // The same, for people.
        let outcome = try Tool.spawn([
            Tool.product("obscura"), "extract", "camera:\(camera.path)", "--count", "1", "-o", "/tmp/f/%d.jpg",
        ])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("pid \(holder.identifier)"), "\(outcome.errors)")
    }

    @Test("It takes over when the first ends, if it asked to wait")
    func takesOver() async throws {
        let holder = try await holder()
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output], startsWhenAvailable: true)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(run.session.isRunning)
        #expect(await becomes { run.events.all.contains("interrupted: deviceInUse") })
        holder.stop()
        #expect(try await frames.next()?.attachments.isDiscontinuity == true)
        #expect(await becomes { run.events.all.last == "interruption ended" })
        await run.session.stop()
    }

    @Test("A stop ends the waiting")
    func stopped() async throws {
        let holder = try await holder()
        defer { holder.stop() }
        let output = VideoDataOutput()
        let run = try await CameraSession(camera.path, outputs: [output], startsWhenAvailable: true)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        await run.session.stop()
        #expect(try await frames.next() == nil)
    }

    @Test("A paused session leaves the camera to others, and waits for it again")
    func paused() async throws {
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        await run.session.pause()
        let holder = try await holder()
        let error = await #expect(throws: ObscuraError.self) { try await run.session.resume() }
        #expect(error?.code == .deviceInUse)
        holder.stop()
        try await run.session.resume()
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        await run.session.stop()
        run.expectBalance()
    }
}
