// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A stage of a frame's processing.
public enum FrameStage: String, Sendable, Hashable, CaseIterable, Codable {
    /// From the driver's timestamp to the moment at which the frame was received from the driver.
    case capture
    /// From the entry into the session to the decoded image. Only for inter-coded frames.
    case decode
    /// From the entry into the session, or from the end of ``decode``, to the removal from the reader's queue.
    case queue
    /// From the removal from the reader's queue until the requested image is ready. Includes decoding, rotating,
    /// scaling and converting.
    case transform
    /// From the beginning to the end of the reader's callback or loop body.
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
