// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraFFmpeg
@testable import ObscuraMovies

@Suite("Display matrices")
struct DisplayTransformTests {
    @Test(
        "The turn, then the mirror, move every point as the matrix does",
        arguments: [
            (1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0),
            (-1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, -1), (0, -1, -1, 0),
        ])
    func turnAndMirror(a: Int32, b: Int32, c: Int32, d: Int32) {
        let one: Int32 = 1 << 16
        let transform = DisplayTransform(matrix: [a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30])
        for (p, q) in [(Int32(1), Int32(0)), (0, 1)] {
            // Clockwise, with the second axis downwards.
            let turned: (x: Int32, y: Int32) =
                switch transform.turn {
                case .up: (p, q)
                case .right: (-q, p)
                case .down: (-p, -q)
                case .left: (q, -p)
                }
            #expect((transform.isMirrored ? -turned.x : turned.x) == a * p + c * q)
            #expect(turned.y == b * p + d * q)
        }
    }

    @Test("A matrix without a picture changes nothing")
    func degenerate() {
        #expect(DisplayTransform(matrix: [0, 0, 0, 0, 0, 0, 0, 0, 0]) == DisplayTransform())
    }
}
