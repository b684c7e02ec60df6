// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What happens to a frame that comes while its reader is busy.
public enum LateFramePolicy: Sendable, Hashable {
    /// One frame waits; a newer one takes its place, and the older is dropped as `late`. For live cameras.
    case latest
    /// Up to so many wait, in order; then the oldest makes room and is dropped as `late`.
    case bounded(Int)
    /// Up to so many wait; then the source waits, and with it every other reader. For files.
    case lossless(Int)

    /// Frames wait for the reader, never the other way round.
    public static let lossless = LateFramePolicy.lossless(4)

    /// How many frames may wait; at least 1.
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
