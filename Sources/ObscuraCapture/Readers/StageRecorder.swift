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
