// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@Suite struct SmokeTests {
    @Test(.timeLimit(.minutes(1)))
    func `Thirty frames of the built-in camera come in order, readable, and the session stops`() async throws {
        let session = CaptureSession()
        let output = VideoDataOutput(lateFrames: .lossless)
        let driver = PatternDriver(size: PixelSize(width: 320, height: 180), frameRate: FrameRate(500))
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try $0.addOutput(output)
        }
        let frames = output.frames.makeAsyncIterator()
        var iterator = frames
        try await session.start()
        for expected in 0..<30 as Range<UInt64> {
            let frame = try #require(try await iterator.next())
            #expect(frame.sequence == expected)
            #expect(PatternScene.readSequence(of: frame.buffer) == expected)
        }
        await session.stop()
        #expect(try await iterator.next() == nil)
        #expect(!session.isRunning)
    }
}
