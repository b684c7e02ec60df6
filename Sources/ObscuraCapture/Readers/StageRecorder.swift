// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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

    init(count: Int, p50: UInt64, p95: UInt64, p99: UInt64, maximum: UInt64) {
        self.count = count
        self.p50 = p50
        self.p95 = p95
        self.p99 = p99
        self.maximum = maximum
    }

    /// Those of no frame.
    public init() { self.init(count: 0, p50: 0, p95: 0, p99: 0, maximum: 0) }
}

/// Keeps the time that each stage took. Thread-safe; of constant size.
final class StageRecorder: Sendable {
    /// By the order of ``FrameStage/allCases``.
    private let histograms = Lock<[DurationHistogram?]>(Array(repeating: nil, count: FrameStage.allCases.count))

    func record(_ stage: FrameStage, from begin: HostTime, to end: HostTime) {
        histograms.withLock { histograms in
            if histograms[stage.index] == nil { histograms[stage.index] = DurationHistogram() }
            histograms[stage.index]?.record(from: begin, to: end)
        }
    }

    var statistics: [FrameStage: StageStatistics] {
        histograms.withLock { histograms in
            var statistics: [FrameStage: StageStatistics] = [:]
            for stage in FrameStage.allCases { statistics[stage] = histograms[stage.index]?.statistics }
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
