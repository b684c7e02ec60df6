// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("What the kernel says of colours")
struct V4L2ColorsTests {
    private func meaning(
        _ colorSpace: UInt32, _ encoding: UInt32 = 0, _ quantization: UInt32 = 0, _ format: PixelFormat = .yuyv
    ) -> ColorSpace? {
        V4L2Colors(colorSpace: colorSpace, encoding: encoding, quantization: quantization, transfer: 0)
            .meaning(for: format)
    }

    @Test("A driver that says nothing is not believed to have said something")
    func silence() {
        #expect(meaning(0) == nil)
    }

    @Test(
        "The defaults are those of the kernel",
        arguments: [
            (UInt32(1), ColorSpace.Matrix.bt601, ColorSpace.Range.limited),  // SMPTE170M
            (3, .bt709, .limited),  // REC709
            (7, .bt601, .full),  // JPEG
            (8, .bt601, .limited),  // SRGB
            (10, .bt2020, .limited),  // BT2020
            (99, .bt601, .limited),
        ])
    func defaults(colorSpace: UInt32, matrix: ColorSpace.Matrix, range: ColorSpace.Range) {
        let meaning = meaning(colorSpace)
        #expect(meaning?.matrix == matrix)
        #expect(meaning?.range == range)
        #expect(meaning?.isAssumed == false)
    }

    @Test("What is said outright counts more than a default")
    func explicit() {
        #expect(meaning(3, 1, 1)?.matrix == .bt601)
        #expect(meaning(3, 1, 1)?.range == .full)
        #expect(meaning(1, 2, 2)?.matrix == .bt709)
        #expect(meaning(7, 0, 2)?.range == .limited)
    }

    @Test("RGB has the full range unless the driver says otherwise")
    func rgb() {
        #expect(meaning(8, 0, 0, .bgra)?.range == .full)
        #expect(meaning(8, 0, 2, .bgra)?.range == .limited)
    }
}
