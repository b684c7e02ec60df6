// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CGAffineTransform {
    /// The mapping that turns a picture of a size clockwise, and then mirrors it horizontally, in coordinates whose y
    /// axis points down. The top left corner of the result is at the origin.
    init(uprightTurn turn: Orientation, isMirrored: Bool, _ size: PixelSize) {
        let (width, height) = (CGFloat(size.width), CGFloat(size.height))
        let turned =
            switch turn {
            case .up: CGAffineTransform.identity
            case .right: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
            case .down: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
            case .left: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
            }
        let uprightWidth = turn.isTransposed ? height : width
        let mirror = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: uprightWidth, ty: 0)
        self = isMirrored ? turned.concatenating(mirror) : turned
    }
}
