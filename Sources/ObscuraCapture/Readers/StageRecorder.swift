// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A recorder of the durations of each stage. Thread-safe; of constant size.
final class StageRecorder: Sendable {
    private struct State {
        /// In the order of ``FrameStage/allCases``.
        var histograms = [DurationHistogram?](repeating: nil, count: FrameStage.allCases.count)
        var metrics: ReaderMetrics?
    }

    private let state = Lock(State())

    /// Reports all durations from now on.
    func report(to metrics: ReaderMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func record(_ stage: FrameStage, from begin: HostTime, to end: HostTime) {
        let metrics = state.withLock { state in
            if state.histograms[stage.index] == nil { state.histograms[stage.index] = DurationHistogram() }
            state.histograms[stage.index]?.record(from: begin, to: end)
            return state.metrics
        }
        metrics?.report(stage, end - begin)
    }

    var statistics: [FrameStage: StageStatistics] {
        state.withLock { state in
            var statistics: [FrameStage: StageStatistics] = [:]
            for stage in FrameStage.allCases { statistics[stage] = state.histograms[stage.index]?.statistics }
            return statistics
        }
    }
}
