// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What is known of a frame also holds for one that comes compressed.
@Suite struct CompressedCameraTests {
    /// One compressed frame that comes `count` times, 1 ms apart.
    private func camera(_ count: Int) throws -> ReplayDriver {
        let picture = try PatternScene(size: PixelSize(width: 64, height: 48)).draw(sequence: 0, time: .zero)
        let frame = EncodedFrame(
            format: .mjpeg, data: try JPEGEncoder().encode(picture), width: 64, height: 48, isKeyFrame: true,
            presentationTime: .zero, hostTime: .now)
        return ReplayDriver(
            formats: [VideoFormat(pixelFormat: .mjpeg, width: 64, height: 48)],
            script: (0..<count).map { ReplayEvent(at: .milliseconds($0), .encoded(frame)) }
                + [ReplayEvent(at: .milliseconds(count), .end)])
    }

    @Test(.hangLimit) func `A compressed frame that is replayed again is another frame`() async throws {
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = try await CaptureSession.of(try camera(4), [output])
        var loop = output.frames.makeAsyncIterator()
        try await session.start()
        var frames: [VideoFrame] = []
        while let frame = try await loop.next() { frames.append(frame) }
        #expect(frames.map(\.sequence) == [0, 1, 2, 3])
        let times = frames.map(\.presentationTime)
        #expect(Set(times).count == 4)
        #expect(times == times.sorted())
        // Made anew for each: what one reader does to the picture of one frame is not in the next.
        #expect(frames.count == 4 && !frames[0].buffer.isIdentical(to: frames[1].buffer))
    }

    @Test(.hangLimit) func `The colour space of the input holds for a compressed camera`() async throws {
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = CaptureSession()
        let device = CaptureDevice(driver: try camera(2))
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: device, colorSpace: .bt709))
            try configuration.addOutput(output)
        }
        var loop = output.frames.makeAsyncIterator()
        try await session.start()
        let frame = try #require(try await loop.next())
        #expect(frame.buffer.colorSpace == .bt709)
        await session.stop()
    }
}
