// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// Front and back: two cameras, one reader.
@Suite("Switching between two cameras", .guest, .serialized)
struct SwitchTests {
    private static let rounds = isLongForm ? 50 : 10

    @Test("The reader goes over at once, and nothing of the former camera follows")
    func switching() async throws {
        let cameras = try Lab.cameras.all()
        try #require(cameras.count == 2)
        for (camera, color) in zip(cameras, [GuestColor.red, .green]) { try camera.show(color) }
        defer { for camera in cameras { try? camera.showDefault() } }
        let extractor = FrameExtractor(.named("camera:\(cameras[0].path)"), preset: .low)
        extractor.size = PixelSize(width: 32, height: 18)
        var frames = extractor.frames.makeAsyncIterator()
        let load = Load()
        defer { load.end() }
        var last: HostTime?
        var gaps: [Duration] = []
        for round in 0..<Self.rounds {
            let isRed = round % 2 == 0
            if round > 0 {
                try await extractor.switchCamera(to: .named("camera:\(cameras[isRed ? 0 : 1].path)"))
            }
            for index in 0..<4 {
                let frame = try #require(try await frames.next())
                let arrival = try #require(frame.video.attachments.dequeueTime)
                if index == 0, let last { gaps.append(arrival - last) }
                last = arrival
                let image = frame.image
                let (red, green) = image.withBytes(ofPlane: 0) { bytes in
                    (
                        bytes.unsafeLoad(fromByteOffset: 2, as: UInt8.self),
                        bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self)
                    )
                }
                #expect(isRed ? red > 200 && green < 50 : green > 200 && red < 50, "round \(round): \(red) \(green)")
            }
        }
        await extractor.stop()
        let sorted = gaps.sorted()
        Lab.report(
            "switches under load: median gap \(sorted[sorted.count / 2]), longest \(sorted[sorted.count - 1]), "
                + "of \(sorted.count)")
    }
}

/// Keeps one core busy.
private final class Load: Sendable {
    private let cancellation = CancellationToken()

    init() {
        let cancellation = cancellation
        _ = WorkerThread.detach(name: "load") { while !cancellation.isCancelled {} }
    }

    func end() { cancellation.cancel() }
}
