// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// The transform that makes a frame upright: a clockwise rotation by a multiple of 90 degrees, then optional horizontal
/// mirroring.
package struct DisplayTransform: Hashable {
    package var turn = Orientation.up
    package var isMirrored = false

    /// - Parameter matrix: nine numbers `a b u, c d v, x y w`, row by row: the point (p, q), with q pointing down, maps
    ///   to (a p + c q + x, b p + d q + y) (ISO/IEC 14496-12, section 6.2.2).
    package init(matrix: UnsafePointer<Int32>) {
        let (a, b) = (Double(matrix[0]), Double(matrix[1]))
        let (c, d) = (Double(matrix[3]), Double(matrix[4]))
        guard a * d - b * c != 0 else { return }
        isMirrored = a * d - b * c < 0
        // A rotation by t has a = d = cos t, b = sin t, c = -sin t; mirroring after it changes only the signs of a and
        // c.
        turn = Orientation(degrees: Int((atan2(b, d) * 180 / .pi).rounded()))
    }

    /// Creates the transform that the frame itself carries (in the H.264 stream of a camera), or the identity.
    package init(_ frame: Frame) {
        if let matrix = obscura_frame_display_matrix(frame.pointer) {
            self.init(matrix: matrix)
        } else {
            self.init()
        }
    }

    package init() {}

    package init(turn: Orientation, isMirrored: Bool) {
        self.turn = turn
        self.isMirrored = isMirrored
    }

    /// The nine numbers of the matrix; see ``init(matrix:)``.
    var matrix: [Int32] {
        // The cosine and the sine of a multiple of 90 degrees, in units of 1/65536.
        let (cosine, sine): (Int32, Int32) =
            switch turn {
            case .up: (1 << 16, 0)
            case .right: (0, 1 << 16)
            case .down: (-1 << 16, 0)
            case .left: (0, -1 << 16)
            }
        let sign: Int32 = isMirrored ? -1 : 1
        return [sign * cosine, sine, 0, sign * -sine, cosine, 0, 0, 0, 1 << 30]
    }
}
