// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The rotation of frames, clockwise, and whether they are mirrored horizontally after it.
struct FrameOrientation: Sendable, Hashable {
    var turn = Orientation.up
    var isMirrored = false

    static let upright = FrameOrientation()

    private init() {}

    /// Creates the orientation of a transform in coordinates whose y axis points down; nil if it is something else than
    /// a rotation by a multiple of 90 degrees.
    init?(_ transform: CGAffineTransform) {
        let parts = [transform.a, transform.b, transform.c, transform.d]
        // The sine of pi is not exactly zero.
        guard parts.allSatisfy({ abs($0 - $0.rounded()) < 1e-6 }) else { return nil }
        let (a, b, c, d) = (parts[0].rounded(), parts[1].rounded(), parts[2].rounded(), parts[3].rounded())
        isMirrored = a * d - b * c < 0
        let sign: CGFloat = isMirrored ? -1 : 1
        let (cosine, sine) = (sign * a, b)
        guard sign * c == -sine, d == cosine, abs(cosine) + abs(sine) == 1 else { return nil }
        switch (cosine, sine) {
        case (1, _): turn = .up
        case (-1, _): turn = .down
        case (_, 1): turn = .right
        default: turn = .left
        }
    }

    func applied(to sample: MediaSample) -> MediaSample {
        guard self != .upright, case .video(var frame) = sample else { return sample }
        frame.attachments.uprightTurn = turn
        frame.attachments.isMirrored = isMirrored
        return .video(frame)
    }
}
