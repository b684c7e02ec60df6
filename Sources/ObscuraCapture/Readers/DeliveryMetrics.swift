// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Metrics
internal import ObscuraMedia

/// The delays of an output that encodes, for the program's metrics system (swift-metrics).
///
/// Their labels are the output, the media type and the stage. All movies and destinations of an output share them: a
/// program may write any number of movies.
package final class DeliveryMetrics: Sendable {
    /// A stage of a media type.
    struct Point: Hashable {
        let mediaType: MediaType
        let stage: DeliveryStage
    }

    private let timers: [Point: Timer]

    package init(output: String) {
        var timers: [Point: Timer] = [:]
        for mediaType in MediaType.allCases {
            for stage in DeliveryStage.allCases {
                timers[Point(mediaType: mediaType, stage: stage)] = Timer(
                    label: "obscura.delivery.duration",
                    dimensions: [("output", output), ("media", mediaType.rawValue), ("stage", stage.rawValue)])
            }
        }
        self.timers = timers
    }

    /// Reports the time from the capture until a stage was reached.
    func report(_ point: Point, _ duration: Duration) {
        timers[point]?.recordNanoseconds(max(0, duration.wholeNanoseconds))
    }
}
