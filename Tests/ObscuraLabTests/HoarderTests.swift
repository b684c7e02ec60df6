// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// A reader that keeps its frames harms itself alone.
@Suite("A hoarder on a camera", .anyCamera, .serialized)
struct HoarderTests {
    @Test("The camera keeps its rate, a quick reader loses nothing, and memory stops at the limit")
    func hoarder() async throws {
        let camera = try #require(Lab.camera)
        let (greedy, quick) = (
            VideoDataOutput(name: "greedy"), VideoDataOutput(name: "quick", latePolicy: .bounded(64))
        )
        let run = try await CameraSession(camera, outputs: [greedy, quick])
        let hoard = Lock<[VideoFrame]>([])
        let hoarder = Task {
            for try await frame in greedy.frames { hoard.withLock { $0.append(frame) } }
        }
        var frames = quick.frames.makeAsyncIterator()
        try await run.session.start()
        var largest = 0
        for _ in 0..<(isLongForm ? 1000 : 100) {
            _ = try #require(try await frames.next())
            largest = max(largest, PixelBuffer.liveCount)
        }
        let ledger = run.session.ledger
        await run.session.stop()
        try await hoarder.value
        let books = try #require(ledger.readers.first { $0.name.hasPrefix("greedy") })
        #expect(books.held == 8)
        #expect(books.frames.delivered <= 9)
        #expect(books.frames.dropped[.outOfBuffers] > 0)
        #expect(ledger.readers.first { $0.name.hasPrefix("quick") }?.frames.dropped.total == 0)
        // The hoard is copies but for what the driver can spare. A busy host may cost the guest's kernel a frame;
        // a driver without buffers would lose nearly all.
        let input = try #require(ledger.inputs.first)
        #expect(input.copied > 0)
        #expect(input.gaps * 5 < input.received, "\(input)")
        // The hoard, what the quick reader has before it, and what is on its way.
        #expect(largest <= 8 + 64 + 8, "\(largest) pictures were alive")
        run.expectBalance()
        hoard.withLock { $0.removeAll() }
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }
}
