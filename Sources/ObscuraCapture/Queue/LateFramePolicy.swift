// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The handling of frames that arrive while their reader is busy.
public enum LateFramePolicy: Sendable, Hashable {
    /// Queues one frame; a newer frame replaces it, and it is dropped as `late`. For live cameras.
    case latest
    /// Queues up to this number of frames; then the oldest is dropped as `late`.
    case bounded(Int)
    /// Queues up to this number of frames; then the source waits, and with it every other reader. For files.
    case lossless(Int)

    /// Queues up to 4 frames; then the source waits.
    public static let lossless = LateFramePolicy.lossless(4)

    /// Number of frames that may be queued; at least 1.
    public var capacity: Int {
        switch self {
        case .latest: 1
        case .bounded(let limit), .lossless(let limit): max(1, limit)
        }
    }

    /// Whether the source waits for the reader.
    public var isLossless: Bool {
        if case .lossless = self { true } else { false }
    }
}
