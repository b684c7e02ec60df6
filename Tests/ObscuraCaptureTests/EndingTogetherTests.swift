// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// Cameras that take long to end do so at the same time.
@Suite struct EndingTogetherTests {
    /// A camera as its own closure may know it: held, neither would ever go.
    private struct WeakCamera {
        weak var camera: HandCamera?
    }

    /// Three cameras whose stops wait for one another.
    private struct Trio {
        let together: Count
        let uncancelled: Count
        let session: CaptureSession
        let cameras: [HandCamera]

        init() async throws {
            let (entered, together, uncancelled) = (Count(), Count(), Count())
            let others = Lock<[WeakCamera]>([])
            let cameras = (0..<3).map { number in
                HandCamera(
                    "\(number)",
                    onStop: {
                        let runs = others.withLock { $0 }.compactMap(\.camera?.runs.last)
                        if runs.contains(where: { $0.cancels.now == 0 }) { uncancelled.add() }
                        entered.add()
                        if entered.blocksUntil(3) { together.add() }
                    })
            }
            others.withLock { $0 = cameras.map { WeakCamera(camera: $0) } }
            let session = CaptureSession()
            try await session.configure { configuration in
                for camera in cameras { try configuration.addInput(CaptureDeviceInput(device: camera.device)) }
                try configuration.addOutput(VideoDataOutput())
            }
            (self.session, self.cameras, self.together, self.uncancelled) = (session, cameras, together, uncancelled)
            try await session.start()
        }
    }

    @Test(.hangLimit, arguments: [false, true])
    func `Cameras are all told to give up, and then end at the same time`(pauses: Bool) async throws {
        let trio = try await Trio()
        if pauses { await trio.session.pause() } else { await trio.session.stop() }
        #expect(await trio.together.reaches(3))
        #expect(trio.uncancelled.now == 0)
        #expect(!trio.session.isRunning)
        #expect(trio.session.isPaused == pauses)
        #expect(await becomes { trio.cameras.allSatisfy { $0.runs.last?.stops.now == 1 } })
        await trio.session.stop()
        #expect(trio.cameras.map { $0.runs.map(\.stops.now) } == [[1], [1], [1]])
    }

    @Test(.hangLimit) func `A camera whose stop hangs does not hold the session up for ever`() async throws {
        let gate = Count()
        let camera = HandCamera(onStop: { _ = gate.blocksUntil(1) })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        try await session.start()
        await session.stop()
        #expect(!session.isRunning)
        #expect(camera.runs[0].stops.now == 0)
        gate.add()
        #expect(await camera.runs[0].stops.reaches(1))
    }
}
