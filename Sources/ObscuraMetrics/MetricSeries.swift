// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CoreMetrics
internal import ObscuraBase
internal import ObscuraWeb

/// The values of a metric with certain labels.
final class MetricSeries: Sendable {
    /// The type of a family, as Prometheus names it.
    enum Kind: String, Sendable {
        case counter, gauge, histogram, summary
    }

    private struct State {
        /// The value of a counter or a gauge, or the sum of the recorded values.
        var value = 0.0
        var count = 0
        /// The number of recorded values in each interval of a histogram that ends with one of its bounds; the last one has
        /// no end.
        var buckets: [Int] = []
    }

    /// The bounds of a histogram in seconds: from a quarter of a millisecond, for conversions, to ten seconds, for
    /// destinations that do not respond.
    static let bounds = [0.00025, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.033, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

    private let kind: Kind
    private let labels: [(String, String)]
    private let state = Lock(State())

    init(_ kind: Kind, _ labels: [(String, String)]) {
        self.kind = kind
        self.labels = labels
        if kind == .histogram {
            state.withLock { $0.buckets = [Int](repeating: 0, count: Self.bounds.count + 1) }
        }
    }

    /// The lines of the series.
    var samples: [PrometheusText.Sample] {
        let state = state.withLock { $0 }
        switch kind {
        case .counter, .gauge: return [.init(labels, state.value)]
        case .summary, .histogram:
            var count = 0
            let buckets = zip(state.buckets, Self.bounds + [.infinity]).map { bucket, bound in
                // Each bucket includes the previous ones.
                count += bucket
                return PrometheusText.Sample(
                    suffix: "_bucket", labels + [("le", bound.isFinite ? "\(bound)" : "+Inf")], Double(count))
            }
            return buckets + [
                .init(suffix: "_sum", labels, state.value), .init(suffix: "_count", labels, Double(state.count)),
            ]
        }
    }

    private func add(_ amount: Double) { state.withLock { $0.value += amount } }
    private func replace(_ value: Double) { state.withLock { $0.value = value } }

    private func take(_ value: Double) {
        guard kind != .gauge else { return replace(value) }
        state.withLock { state in
            state.value += value
            state.count += 1
            guard kind == .histogram else { return }
            state.buckets[Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count] += 1
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    /// Counters do not decrease.
    func increment(by amount: Double) {
        if amount.isFinite, amount > 0 || kind == .gauge { add(amount) }
    }
    func reset() { replace(0) }
}

extension MetricSeries: MeterHandler {
    func set(_ value: Int64) { replace(Double(value)) }
    func set(_ value: Double) { replace(value) }
    func decrement(by amount: Double) { add(-amount) }
}

extension MetricSeries: RecorderHandler {
    func record(_ value: Int64) { take(Double(value)) }
    func record(_ value: Double) { take(value) }
}

extension MetricSeries: TimerHandler {
    func recordNanoseconds(_ duration: Int64) { take(Double(duration) / 1e9) }
}
