// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import CoreMetrics
internal import ObscuraBase
internal import ObscuraWeb

/// A metrics system that keeps the metrics of a program in memory, and returns them as text for Prometheus.
///
/// Counters become counters, meters and gauges become gauges, timers become histograms in seconds, and recorders become
/// summaries with a count and a sum. Characters that Prometheus does not permit in names are replaced by `_`. If two
/// metrics have the same name but different kinds, only the first one is in the text.
///
/// Thread-safe. An update takes a lock and an addition.
public final class PrometheusMetrics: MetricsFactory {
    /// The series of one name.
    private struct Family {
        let kind: MetricSeries.Kind
        var series: [[String]: MetricSeries] = [:]
    }

    private let families = Lock<[String: Family]>([:])

    /// Creates a metrics system without metrics.
    public init() {}

    /// The metrics in the text format of Prometheus, sorted by their names.
    public var text: String { page.text }

    var page: PrometheusText {
        let families = families.withLock { $0 }.sorted { $0.key < $1.key }
        var page = PrometheusText()
        for (name, family) in families {
            let series = family.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            page.append(name, type: family.kind.rawValue, series.flatMap(\.value.samples))
        }
        return page
    }

    // MARK: MetricsFactory

    /// Returns the counter with this name and these labels.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions, unit: "_total")
    }

    /// Returns the floating-point counter with this name and these labels.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions, unit: "_total")
    }

    /// Returns the gauge with this name and these labels.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions)
    }

    /// Returns the summary with this name and these labels; a gauge if `aggregate` is false.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(aggregate ? .summary : .gauge, label, dimensions)
    }

    /// Returns the histogram with this name and these labels.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.histogram, label, dimensions, unit: "_seconds")
    }

    /// Removes a counter from the text.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Removes a counter from the text.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Removes a gauge from the text.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Removes a summary or a gauge from the text.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Removes a histogram from the text.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    // MARK: Series

    /// Returns the series of a name and its labels; creates it if there is none.
    private func series(
        _ kind: MetricSeries.Kind, _ label: String, _ dimensions: [(String, String)], unit: String = ""
    ) -> MetricSeries {
        let name = Self.name(label) + unit
        let labels = dimensions.map { (Self.name($0.0), $0.1) }
        let key = labels.flatMap { [$0.0, $0.1] }
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            // Not listed: a family has one kind.
            guard family.kind == kind else { return MetricSeries(kind, labels) }
            if let found = family.series[key] { return found }
            let made = MetricSeries(kind, labels)
            family.series[key] = made
            families[name] = family
            return made
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            families = families.compactMapValues { family in
                var family = family
                family.series = family.series.filter { $0.value !== handler }
                return family.series.isEmpty ? nil : family
            }
        }
    }

    /// Returns a name that Prometheus permits.
    private static func name(_ label: String) -> String {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == false ? name : "_" + name
    }
}
