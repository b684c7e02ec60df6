// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// A recorder of the delays of a movie, or of a destination of a broadcast. Thread-safe; of constant size.
package final class DeliveryRecorder: Sendable {
    private let metrics: DeliveryMetrics
    private let delays = Lock<[DeliveryMetrics.Point: DurationHistogram]>([:])

    package init(_ metrics: DeliveryMetrics) {
        self.metrics = metrics
    }

    /// Counts a frame or an audio packet that has reached a stage.
    package func record(_ stage: DeliveryStage, _ mediaType: MediaType, captured: HostTime, at time: HostTime) {
        let point = DeliveryMetrics.Point(mediaType: mediaType, stage: stage)
        delays.withLock { $0[point, default: DurationHistogram()].record(from: captured, to: time) }
        metrics.report(point, time - captured)
    }

    package var statistics: DeliveryStatistics {
        let delays = delays.withLock { $0 }
        func statistics(_ mediaType: MediaType) -> [DeliveryStage: StageStatistics] {
            var found: [DeliveryStage: StageStatistics] = [:]
            for (point, delays) in delays where point.mediaType == mediaType {
                found[point.stage] = delays.statistics
            }
            return found
        }
        return DeliveryStatistics(video: statistics(.video), audio: statistics(.audio))
    }
}
