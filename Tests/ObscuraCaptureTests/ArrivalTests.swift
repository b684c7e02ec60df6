// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// Delegates without a queue, which are called on the thread that makes a frame available.
@Suite struct ArrivalTests {
    /// The state of the callbacks.
    private struct Calls {
        var isInside = false
        var overlaps = 0
        var kept: [VideoFrame] = []
    }

    @Test(.hangLimit, arguments: [PixelFormat.i420, .bgra])
    func `Each frame comes in order and alone, whichever thread makes it available`(format: PixelFormat) async throws {
        let calls = Lock(Calls())
        let count = 3000
        let releaser = WorkerPool(name: "release", threads: 2)
        let delegate = RecordingDelegate { frame in
            let isAlone = calls.withLock { calls in
                defer { calls.isInside = true }
                return !calls.isInside
            }
            if !isAlone { calls.withLock { $0.overlaps += 1 } }
            // Some frames are released within the callback, which makes the next one available in it; others on threads.
            if frame.sequence % 3 > 0 {
                calls.withLock { $0.kept.append(frame) }
                releaser.async {
                    let frames = calls.withLock { calls in
                        defer { calls.kept = [] }
                        return calls.kept
                    }
                    withExtendedLifetime(frames) {}
                }
            }
            calls.withLock { $0.isInside = false }
        }
        let output = VideoDataOutput(pixelFormat: format, latePolicy: .lossless, leaseLimit: 2)
        output.setDelegate(delegate, on: .arrival)
        let camera = PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        #expect(await delegate.frames.reaches(count))
        await session.stop()
        #expect(calls.withLock { $0.overlaps } == 0)
        #expect(delegate.sequences == (0..<UInt64(delegate.frames.now)).map { $0 })
        session.expectBalance()
        calls.withLock { $0.kept = [] }
    }
}
