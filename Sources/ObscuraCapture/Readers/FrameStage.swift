// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A stage of a frame's processing.
public enum FrameStage: String, Sendable, Hashable, CaseIterable, Codable {
    /// The time from the driver's timestamp until the frame is received from the driver.
    case capture
    /// The time from the entry of the frame into the session until its image is decoded. Only for inter-coded frames.
    case decode
    /// The time from the entry into the session, or from the end of ``decode``, until the reader takes the frame from
    /// its queue.
    case queue
    /// The time from the end of ``queue`` until the requested image is ready. Includes decoding, rotating, scaling and
    /// converting.
    case transform
    /// The time from the beginning to the end of the reader's callback or loop body.
    case handling
}

extension FrameStage {
    /// The position in `allCases`.
    var index: Int {
        switch self {
        case .capture: 0
        case .decode: 1
        case .queue: 2
        case .transform: 3
        case .handling: 4
        }
    }
}
