// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Histogram
internal import ObscuraBase
internal import ObscuraMedia

/// A span of a frame's way, named by what lies between its ends.
public enum FrameStage: String, Sendable, Hashable, CaseIterable, Codable {
    /// From the driver's stamp to the moment at which the frame left the driver.
    case capture
    /// From its entry into the session to its picture, for a compressed frame that refers to others: waiting
    /// for the decoder, and decoding.
    case decode
    /// From its entry into the session (or its ``decode``) to the moment at which it was taken out of the reader's mailbox.
    case queue
    /// Decoding, turning, scaling, converting: from the mailbox to the picture that was asked for.
    case transform
    /// From the beginning of the reader's callback (or loop body) to its end.
    case handling
}

/// How long a stage took, in microseconds, over all frames that passed it.
public struct StageStatistics: Sendable, Hashable, Codable {
    /// How many frames passed the stage.
    public let count: Int
    /// Half of them took no longer.
    public let p50: UInt64
    /// 95 of 100 took no longer.
    public let p95: UInt64
    /// 99 of 100 took no longer.
    public let p99: UInt64
    /// The longest of all.
    public let maximum: UInt64
}

/// Keeps the time that each stage took. Thread-safe; of constant size.
final class StageRecorder: Sendable {
    /// By the order of ``FrameStage/allCases``.
    private let histograms = Lock<[Histogram<UInt32>?]>(Array(repeating: nil, count: FrameStage.allCases.count))

    func record(_ stage: FrameStage, from begin: HostTime, to end: HostTime) {
        // A driver's stamp may be anything: the difference saturates.
        let microseconds = UInt64(max(0, (end - begin).wholeNanoseconds / 1000))
        histograms.withLock { histograms in
            if histograms[stage.index] == nil {
                histograms[stage.index] = Histogram(
                    highestTrackableValue: Self.limit, numberOfSignificantValueDigits: .two)
            }
            histograms[stage.index]?.record(min(microseconds, Self.limit))
        }
    }

    /// Up to ten minutes; longer ones count as that.
    private static let limit: UInt64 = 600_000_000

    var statistics: [FrameStage: StageStatistics] {
        histograms.withLock { histograms in
            var statistics: [FrameStage: StageStatistics] = [:]
            for stage in FrameStage.allCases {
                guard let histogram = histograms[stage.index] else { continue }
                statistics[stage] = StageStatistics(
                    count: Int(histogram.totalCount), p50: histogram.valueAtPercentile(50),
                    p95: histogram.valueAtPercentile(95), p99: histogram.valueAtPercentile(99),
                    maximum: histogram.maxRecorded)
            }
            return statistics
        }
    }
}

extension FrameStage {
    fileprivate var index: Int {
        switch self {
        case .capture: 0
        case .decode: 1
        case .queue: 2
        case .transform: 3
        case .handling: 4
        }
    }
}
