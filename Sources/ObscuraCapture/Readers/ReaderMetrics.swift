// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Metrics
internal import ObscuraMedia

/// The metrics of the readers of a connection, for the program's metrics system (swift-metrics).
///
/// Their labels are the output, the media type, and the reason or the stage. All readers of a connection share them: a
/// program has few outputs, but may attach any number of readers in turn.
package final class ReaderMetrics: LedgerObserver {
    private let deliveredCounter: Counter
    private let skippedCounter: Counter
    /// In the order of ``DropReason/allCases``.
    private let droppedCounters: [Counter]
    private let held: Meter
    /// In the order of ``FrameStage/allCases``.
    private let stages: [Timer]

    package init(output: String, mediaType: MediaType) {
        let labels = [("output", output), ("media", mediaType.rawValue)]
        deliveredCounter = Counter(label: "obscura.frames.delivered", dimensions: labels)
        skippedCounter = Counter(label: "obscura.frames.skipped", dimensions: labels)
        droppedCounters = DropReason.allCases.map {
            Counter(label: "obscura.frames.dropped", dimensions: labels + [("reason", $0.rawValue)])
        }
        held = Meter(label: "obscura.frames.held", dimensions: labels)
        stages = FrameStage.allCases.map {
            Timer(label: "obscura.stage.duration", dimensions: labels + [("stage", $0.rawValue)])
        }
    }

    package func delivered() { deliveredCounter.increment() }

    package func skipped(_ count: Int) { skippedCounter.increment(by: count) }

    package func dropped(_ count: Int, _ reason: DropReason) { droppedCounters[reason.index].increment(by: count) }

    package func holdingsChanged(by change: Int) {
        if change > 0 { held.increment(by: Double(change)) }
        if change < 0 { held.decrement(by: Double(-change)) }
    }

    /// Reports the time that a frame spent in a stage.
    func report(_ stage: FrameStage, nanoseconds: Int64) {
        stages[stage.index].recordNanoseconds(max(0, nanoseconds))
    }
}
