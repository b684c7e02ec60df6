// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A recorder of the durations of each stage. Thread-safe; of constant size.
final class StageRecorder: Sendable {
    /// The durations of each stage.
    struct Stages {
        /// In the order of ``FrameStage/allCases``.
        fileprivate var histograms = [DurationHistogram?](repeating: nil, count: FrameStage.allCases.count)
        fileprivate var metrics: ReaderMetrics?

        mutating func add(_ stage: FrameStage, from begin: HostTime, to end: HostTime) {
            if histograms[stage.index] == nil { histograms[stage.index] = DurationHistogram() }
            histograms[stage.index]?.record(from: begin, to: end)
            metrics?.report(stage, nanoseconds: end.nanoseconds(since: begin))
        }
    }

    private let state = Lock(Stages())

    /// Reports all durations from now on.
    func report(to metrics: ReaderMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// Counts the duration of a stage.
    func record(_ stage: FrameStage, from begin: HostTime, to end: HostTime) {
        state.withLock { $0.add(stage, from: begin, to: end) }
    }

    /// Counts the durations of several stages together. `body` runs with the lock held; must not block.
    func record(_ body: (inout Stages) -> Void) {
        state.withLock { body(&$0) }
    }

    var statistics: [FrameStage: StageStatistics] {
        state.withLock { state in
            var statistics: [FrameStage: StageStatistics] = [:]
            for stage in FrameStage.allCases { statistics[stage] = state.histograms[stage.index]?.statistics }
            return statistics
        }
    }
}
