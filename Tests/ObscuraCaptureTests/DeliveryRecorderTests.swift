// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Metrics
import MetricsTestKit
import ObscuraCapture
import ObscuraMedia
import Testing

@Suite struct DeliveryRecorderTests {
    @Test func `The delays of each media type and stage are counted from the capture`() throws {
        let recorder = DeliveryRecorder(DeliveryMetrics(output: "movie"))
        #expect(recorder.statistics == DeliveryStatistics())
        for number in 1...100 {
            let captured = HostTime(nanoseconds: Int64(number) * 33_000_000)
            recorder.record(.encoded, .video, captured: captured, at: captured + .milliseconds(number))
            recorder.record(.written, .video, captured: captured, at: captured + .milliseconds(2 * number))
        }
        let captured = HostTime(nanoseconds: 5_000_000_000)
        recorder.record(.sent, .audio, captured: captured, at: captured + .milliseconds(-3))
        let statistics = recorder.statistics
        #expect(Set(statistics.video.keys) == [.encoded, .written] && Set(statistics.audio.keys) == [.sent])
        let (encoded, written) = (try #require(statistics.video[.encoded]), try #require(statistics.video[.written]))
        #expect(encoded.count == 100 && written.count == 100)
        // To within 1 %.
        for (value, milliseconds) in [(encoded.p50, 50), (encoded.p95, 95), (written.p99, 198)] {
            #expect(abs(Double(value) / 1000 - Double(milliseconds)) <= Double(milliseconds) / 100, "\(value)")
        }
        // A time of capture in the future is no delay.
        #expect(statistics.audio[.sent]?.count == 1 && statistics.audio[.sent]?.maximum == 0)
    }

    @Test func `All movies of an output report to the same metrics`() throws {
        let system = TestMetrics()
        let metrics = withMetricsFactory(system) { DeliveryMetrics(output: "movie") }
        for number in 1...2 {
            DeliveryRecorder(metrics).record(
                .written, .video, captured: .now, at: .now + .milliseconds(number))
        }
        let timer = try system.expectTimer(
            "obscura.delivery.duration", [("output", "movie"), ("media", "video"), ("stage", "written")])
        #expect(timer.values.count == 2 && timer.values.allSatisfy { $0 >= 1_000_000 })
    }
}
