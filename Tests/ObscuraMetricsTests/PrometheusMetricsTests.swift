// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMetrics
import ObscuraBase
import Testing

@testable import ObscuraMetrics

@Suite struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics()

    @Test func `Counters, meters and recorders are listed by name and by labels`() {
        let labels = [("device", "b"), ("media", "video")]
        Counter(label: "frames.received", dimensions: labels, factory: metrics).increment(by: 3)
        Counter(label: "frames.received", dimensions: labels, factory: metrics).increment()
        Counter(label: "frames.received", dimensions: [("device", "a")], factory: metrics).increment(by: 2)
        FloatingPointCounter(label: "seconds", factory: metrics).increment(by: 0.5)
        let held = Meter(label: "frames.held", factory: metrics)
        held.increment(by: 5.0)
        held.decrement()
        let size = Recorder(label: "size", dimensions: [], aggregate: true, factory: metrics)
        size.record(7)
        size.record(1)
        Gauge(label: "free", factory: metrics).record(8)
        #expect(
            metrics.text == """
                # TYPE frames_held gauge
                frames_held 4.0
                # TYPE frames_received_total counter
                frames_received_total{device="a"} 2.0
                frames_received_total{device="b",media="video"} 4.0
                # TYPE free gauge
                free 8.0
                # TYPE seconds_total counter
                seconds_total 0.5
                # TYPE size summary
                size_sum 8.0
                size_count 2.0

                """)
    }

    @Test func `A timer is a histogram in seconds, whose buckets include the shorter ones`() throws {
        let timer = Timer(label: "stage.duration", dimensions: [("stage", "queue")], factory: metrics)
        for milliseconds in [0, 1, 20, 21, 60_000] { timer.recordMilliseconds(milliseconds) }
        let lines = metrics.text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "# TYPE stage_duration_seconds histogram")
        let counts = try lines.dropFirst().prefix(MetricSeries.bounds.count + 1).map { line in
            let parts = line.split(separator: " ")
            #expect(parts[0].hasPrefix("stage_duration_seconds_bucket{stage=\"queue\",le=\""))
            return try #require(Double(parts[1]))
        }
        #expect(counts == [1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5])
        #expect(lines[MetricSeries.bounds.count + 1].contains("le=\"+Inf\""))
        #expect(
            lines.suffix(2) == [
                "stage_duration_seconds_sum{stage=\"queue\"} 60.042",
                "stage_duration_seconds_count{stage=\"queue\"} 5.0",
            ])
    }

    @Test func `Names and values that Prometheus does not permit are replaced or escaped`() {
        Counter(label: "9 frames/µs", dimensions: [("a-b", "x\\y\"z\nw")], factory: metrics).increment()
        #expect(metrics.text.contains(#"_9_frames__s_total{a_b="x\\y\"z\nw"} 1.0"#), "\(metrics.text)")
        Counter(label: "marks", dimensions: [("a", "x\"\u{301}\r\ny")], factory: metrics).increment()
        let line = Array("{a=\"x\\\"\u{301}\r\\ny\"}".utf8)
        #expect(Array(metrics.text.utf8).firstRange(of: line) != nil, "\(metrics.text)")
        #expect(metrics.text.split(separator: "\n").count == 4)
    }

    @Test func `The first kind of a name is kept, a counter does not decrease, and a destroyed metric is not listed`() {
        let counter = FloatingPointCounter(label: "a", factory: metrics)
        counter.increment(by: 2)
        counter.increment(by: -1)
        counter.increment(by: Double.infinity)
        Gauge(label: "a_total", factory: metrics).record(9)
        #expect(metrics.text == "# TYPE a_total counter\na_total 2.0\n")
        counter.destroy()
        #expect(metrics.text.isEmpty)
    }

    @Test func `No change is lost when many threads make and change the same metric`() {
        let threads = 8
        let ended = Lock(0)
        for _ in 0..<threads {
            let thread = WorkerThread(name: "counting") { [metrics] in
                for _ in 0..<1000 {
                    Counter(label: "shared", factory: metrics).increment()
                    Timer(label: "time", factory: metrics).recordNanoseconds(1)
                }
                ended.withLockSignalling { $0 += 1 }
            }
            #expect(thread != nil)
        }
        _ = ended.wait(until: nil) { $0 == threads ? true : nil }
        #expect(metrics.text.contains("shared_total 8000.0\n"))
        #expect(metrics.text.contains("time_seconds_count 8000.0\n"))
    }
}
