// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct LedgerTests {
    @Test(.hangLimit)
    func `The books of every reader are right at every moment, under load from several threads`() async throws {
        let driver = PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)
        let policies: [LateFramePolicy] = [.latest, .bounded(3), .lossless(2), .latest]
        let outputs = policies.enumerated().map { index, policy in
            VideoDataOutput(
                name: "output \(index)", pixelFormat: index % 2 == 0 ? .bgra : nil, latePolicy: policy, leaseLimit: 3)
        }
        let hoard = Lock<[VideoFrame]>([])
        let delegate = RecordingDelegate { frame in
            hoard.withLock { hoard in
                hoard.append(frame)
                if hoard.count == 3, frame.sequence % 50 == 0 { hoard.removeAll() }
            }
        }
        outputs[3].setDelegate(delegate)
        let session = try await CaptureSession.of(driver, outputs)
        let isOver = Count()
        let looks = Count()
        let watcher = WorkerThread(name: "watcher") {
            while isOver.now == 0 {
                session.expectBalance()
                looks.add()
                yieldThread()
            }
        }
        let meddler = WorkerThread(name: "meddler") {
            var round = 0
            while isOver.now == 0 {
                round += 1
                outputs[1].connection.isEnabled = round % 3 != 0
                outputs[0].connection.frameStride = round % 2 + 1
                hoard.withLock { if round % 100 == 0 { $0.removeAll() } }
                yieldThread()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, output) in outputs.dropLast().enumerated() {
                group.addTask {
                    var count = 0
                    for try await _ in output.frames {
                        count += 1
                        guard index == 2, count == 400 else { continue }
                        #expect(await looks.reaches(10))
                        await session.stop()
                    }
                }
            }
            #expect(await becomes { session.ledger.readers.count == 4 })
            try await session.start()
            try await group.waitForAll()
        }
        isOver.add()
        #expect(await onThread { watcher?.ends() } == true)
        #expect(await onThread { meddler?.ends() } == true)
        hoard.withLock { $0.removeAll() }
        session.expectBalance()
        let ledger = session.ledger
        #expect(ledger.readers.count == 4)
        for reader in ledger.readers {
            #expect(reader.frames.waiting == 0)
            #expect(reader.frames.inHand == 0)
            #expect(reader.held == 0)
        }
        #expect(try session.reader("output 2").frames.delivered == 400)
        #expect(try session.reader("output 2").frames.dropped[.late] == 0)
        let stage = try #require(try session.reader("output 2").stages[.transform])
        #expect(stage.p50 <= stage.p95 && stage.p95 <= stage.p99 && stage.p99 <= stage.maximum)
    }

    @Test(.hangLimit) func `The books of readers that left are kept, the last sixteen of them`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        for _ in 0..<20 {
            var frames = output.frames.makeAsyncIterator()
            try camera.give()
            #expect(try await frames.next() != nil)
        }
        let readers = session.ledger.readers
        #expect(readers.count == 16)
        #expect(readers.allSatisfy { !$0.isAttached && $0.frames.delivered == 1 })
        #expect(Set(readers.map(\.name)).count == 16)
        await session.stop()
    }
}
