// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Every frame of a camera that runs undisturbed, and the books of it.
@Suite("A camera that runs", .anyCamera, .serialized)
struct SteadyCameraTests {
    private static let frameCount = isLongForm ? 1000 : 120

    @Test("What came and what the driver lost is all that it counted; we drop nothing")
    func everyFrame() async throws {
        let camera = try #require(Lab.camera)
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(camera, outputs: [output])
        var last: VideoFrame?
        var count = 0
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        while count < Self.frameCount, let frame = try await frames.next() {
            if let last {
                #expect(frame.hostTime > last.hostTime)
                #expect(frame.sequence > last.sequence)
            }
            #expect(!frame.attachments.isDiscontinuity)
            #expect(!frame.attachments.isHostTimeEstimated)
            last = frame
            count += 1
        }
        await run.session.stop()
        let input = try #require(run.session.ledger.inputs.first)
        let reader = try #require(run.session.ledger.readers.first).frames
        let frame = try #require(last)
        // What came after the last frame that was taken was dropped by the stop alone.
        #expect(reader.dropped.total == reader.dropped[.stopped])
        #expect(input.received + input.gaps + input.lost >= frame.sequence + 1)
        #expect(input.received + input.gaps + input.lost <= frame.sequence + 1 + reader.dropped[.stopped] + 1)
        run.expectBalance()
    }

    @Test("A picture is the kernel's memory, with its DMA-BUF, and goes home")
    func kernelMemory() async throws {
        let camera = try #require(Lab.camera)
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let run = try await CameraSession(camera, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        for _ in 0..<30 {
            let frame = try #require(try await frames.next())
            #expect(!frame.buffer.dmaDescriptors.isEmpty)
        }
        #expect(run.session.ledger.inputs.first?.copied == 0)
        // A picture outlives its camera.
        let kept = try await frames.next()
        await run.session.stop()
        let bytes = try #require(kept).buffer.packedBytes()
        #expect(bytes.contains { $0 != bytes[0] })
    }

    @Test("After each stop no descriptor and no buffer is left")
    func nothingLeft() async throws {
        let camera = try #require(Lab.camera)
        let output = VideoDataOutput()
        let run = try await CameraSession(camera, outputs: [output])
        for _ in 0..<(isLongForm ? 100 : 5) {
            var frames = output.frames.makeAsyncIterator()
            try await run.session.start()
            _ = try await frames.next()
            await run.session.stop()
            #expect(await becomes { PixelBuffer.liveCount == 0 })
            #expect(await becomes { (try? Lab.descriptors().isEmpty) == true })
        }
    }
}
