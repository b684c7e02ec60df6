// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// What brings a picture upright: a quarter turn clockwise, then perhaps a change of left and right.
package struct DisplayTransform: Hashable {
    package var turn = Orientation.up
    package var isMirrored = false

    /// - Parameter matrix: nine numbers `a b u, c d v, x y w`, rows first: the point (p, q), with q
    ///   downwards, goes to (a p + c q + x, b p + d q + y) (ISO/IEC 14496-12, section 6.2.2).
    package init(matrix: UnsafePointer<Int32>) {
        let (a, b) = (Double(matrix[0]), Double(matrix[1]))
        let (c, d) = (Double(matrix[3]), Double(matrix[4]))
        guard a * d - b * c != 0 else { return }
        isMirrored = a * d - b * c < 0
        // A turn by t is a = d = cos t, b = sin t, c = -sin t; changing left and right after it changes
        // the signs of a and c only.
        turn = Orientation(degrees: Int((atan2(b, d) * 180 / .pi).rounded()))
    }

    /// What the frame itself carries (a camera's note in the H.264 stream), or nothing to be done.
    package init(_ frame: Frame) {
        if let matrix = obscura_frame_display_matrix(frame.pointer) {
            self.init(matrix: matrix)
        } else {
            self.init()
        }
    }

    package init() {}
}
