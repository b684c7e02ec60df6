// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Metrics
import MetricsTestKit
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// The metrics that a session reports to the program's metrics system.
@Suite struct MetricsTests {
    private let metrics = TestMetrics()

    private func total(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        metrics.counterTotal(label: label, dimensions: dimensions)
    }

    /// Expects the counters of an output to be the sums of its readers.
    private func expectAgreement(_ ledger: SessionLedger, _ output: String) {
        let frames = ledger.readers.filter { $0.output == output }.map(\.frames)
        func sum(_ count: (ReaderLedger) -> UInt64) -> Int64 { Int64(frames.reduce(0) { $0 + count($1) }) }
        let labels = [("output", output), ("media", "video")]
        #expect(total("obscura.frames.delivered", labels) == sum(\.delivered))
        #expect(total("obscura.frames.skipped", labels) == sum(\.skipped))
        for reason in DropReason.allCases {
            let dropped = total("obscura.frames.dropped", labels + [("reason", reason.rawValue)])
            #expect(dropped == sum { $0.dropped[reason] }, "\(reason)")
        }
    }

    @Test(.hangLimit) func `A session reports the counts of its ledger`() async throws {
        let camera = HandCamera("metrics")
        let (session, every, latest) = withMetricsFactory(metrics) {
            (
                CaptureSession(), VideoDataOutput(name: "every", latePolicy: .bounded(8)),
                VideoDataOutput(name: "latest", latePolicy: .latest)
            )
        }
        let kept = Lock<[VideoFrame]>([])
        let receiver = RecordingDelegate { frame in kept.withLock { $0.append(frame) } }
        every.setDelegate(receiver)
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: camera.device))
            try configuration.addOutput(every)
            try configuration.addOutput(latest)
        }
        latest.connection.frameStride = 2
        var waiting = latest.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(3)
        try camera.give(at: MediaTime(value: 5, timescale: 30), sequence: 5)
        camera.sink?.loseFrame(sequence: 6, gap: 0)
        #expect(await becomes { kept.withLock { $0.count } == 4 })
        // Of the frames 0 and 2, the second one replaced the first one.
        let frame = try #require(try await waiting.next())
        #expect(frame.sequence == 2)
        let device = [("device", camera.uniqueID)]
        #expect(total("obscura.frames.received", device) == 4)
        #expect(total("obscura.frames.gaps", device) == 2)
        #expect(total("obscura.frames.lost", device) == 1)
        expectAgreement(session.ledger, "every")
        expectAgreement(session.ledger, "latest")
        let held = try metrics.expectMeter("obscura.frames.held", [("output", "every"), ("media", "video")])
        #expect(held.lastValue == 4)
        kept.withLock { $0.removeAll() }
        #expect(await becomes { held.lastValue == 0 })
        await session.stop()
        expectAgreement(session.ledger, "every")
        expectAgreement(session.ledger, "latest")
        let stages = try session.reader("every").stages
        #expect(stages[.handling]?.count == 4)
        for (stage, statistics) in stages {
            let timer = try metrics.expectTimer(
                "obscura.stage.duration", [("output", "every"), ("media", "video"), ("stage", stage.rawValue)])
            #expect(timer.values.count == statistics.count, "\(stage)")
        }
    }

    @Test(.hangLimit) func `A microphone is reported by its own names`() async throws {
        let microphone = HandMicrophone("metrics")
        let (session, output) = withMetricsFactory(metrics) { (CaptureSession(), AudioDataOutput(name: "levels")) }
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: microphone)))
            try configuration.addOutput(output)
        }
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        for _ in 0..<3 {
            microphone.give()
            _ = try await buffers.next()
        }
        await session.stop()
        #expect(try await buffers.next()?.frameCount == nil)
        #expect(total("obscura.audio.received", [("device", "metrics")]) == 3)
        #expect(total("obscura.frames.received", [("device", "metrics")]) == 0)
        #expect(total("obscura.frames.delivered", [("output", "levels"), ("media", "audio")]) == 3)
    }

    @Test(.hangLimit) func `The number of labels does not grow with the number of readers and runs`() async throws {
        let camera = HandCamera("metrics")
        let (session, output) = withMetricsFactory(metrics) { (CaptureSession(), VideoDataOutput(name: "many")) }
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: camera.device))
            try configuration.addOutput(output)
        }
        var counts: Set<[Int]> = []
        for _ in 0..<20 {
            try await session.start()
            for _ in 0..<20 {
                var iterator = output.frames.makeAsyncIterator()
                try camera.give()
                _ = try await iterator.next()
            }
            await session.stop()
            counts.insert([
                Set(metrics.counters.map(\.key)).count, Set(metrics.meters.map(\.key)).count,
                Set(metrics.timers.map(\.key)).count,
            ])
        }
        #expect(counts == [[6 + 2 + DropReason.allCases.count, 1, FrameStage.allCases.count]])
        #expect(total("obscura.frames.received", [("device", camera.uniqueID)]) == 400)
    }

    @Test func `Frames that outlive their reader are held until their release`() throws {
        var (held, leases) = try withMetricsFactory(metrics) {
            let queue = FrameQueue<Int>(policy: .latest)
            queue.report(to: ReaderMetrics(output: "gone", mediaType: .video))
            let leases = [queue.lease(), queue.lease()]
            let held = try metrics.expectMeter("obscura.frames.held", [("output", "gone"), ("media", "video")])
            #expect(held.lastValue == 2)
            return (held, leases)
        }
        #expect(held.lastValue == 2)
        leases.removeLast()
        #expect(held.lastValue == 1)
        leases = []
        #expect(held.lastValue == 0)
    }
}
