// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite struct LumaSamplerTests {
    /// The place of the luma of a pixel in the first plane: byte of a row for a column, and number of bytes.
    private static let places: [(PixelFormat, @Sendable (Int) -> [Int])] = [
        (.bgra, { [4 * $0, 4 * $0 + 1, 4 * $0 + 2] }), (.rgba, { [4 * $0, 4 * $0 + 1, 4 * $0 + 2] }),
        (.bgrx, { [4 * $0, 4 * $0 + 1, 4 * $0 + 2] }), (.rgbx, { [4 * $0, 4 * $0 + 1, 4 * $0 + 2] }),
        (.argb, { [4 * $0 + 1, 4 * $0 + 2, 4 * $0 + 3] }), (.abgr, { [4 * $0 + 1, 4 * $0 + 2, 4 * $0 + 3] }),
        (.xrgb, { [4 * $0 + 1, 4 * $0 + 2, 4 * $0 + 3] }), (.xbgr, { [4 * $0 + 1, 4 * $0 + 2, 4 * $0 + 3] }),
        (.bgr24, { [3 * $0, 3 * $0 + 1, 3 * $0 + 2] }), (.rgb24, { [3 * $0, 3 * $0 + 1, 3 * $0 + 2] }),
        (.yuyv, { [2 * $0] }), (.yvyu, { [2 * $0] }), (.uyvy, { [2 * $0 + 1] }), (.vyuy, { [2 * $0 + 1] }),
        (.nv12, { [$0] }), (.nv21, { [$0] }), (.nv16, { [$0] }), (.i420, { [$0] }), (.i422, { [$0] }),
        (.i444, { [$0] }), (.gray8, { [$0] }),
    ]

    @Test(arguments: places.map(\.0))
    func `The luma is where the format has it, or the mean of the colors`(_ format: PixelFormat) throws {
        let place = try #require(Self.places.first { $0.0 == format }?.1)
        for (x, y) in [(0, 0), (1, 0), (4, 2), (5, 3)] {
            var picture = try PixelBuffer(format: format, width: 6, height: 4)
            let row = y * picture.bytesPerRow(ofPlane: 0)
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for (index, column) in place(x).enumerated() {
                    bytes.storeBytes(of: UInt8(90 + 30 * index), toByteOffset: row + column, as: UInt8.self)
                }
            }
            let sampler = try #require(LumaSampler(picture))
            let expected = place(x).count == 1 ? 90 : 120
            #expect(sampler.value(x: x, y: y) == expected)
            #expect(sampler.value(x: (x + 2) % 6, y: y) == 0 && sampler.value(x: x, y: (y + 1) % 4) == 0)
        }
    }

    @Test(arguments: [PixelFormat.i010, .i210, .i410])
    func `Ten bits become eight`(_ format: PixelFormat) throws {
        var picture = try PixelBuffer(format: format, width: 6, height: 4)
        let row = 2 * picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            bytes.storeBytes(of: UInt16(littleEndian: 4 * 200 + 3), toByteOffset: row + 6, as: UInt16.self)
        }
        let sampler = try #require(LumaSampler(picture))
        #expect(sampler.value(x: 3, y: 2) == 200 && sampler.value(x: 2, y: 2) == 0 && sampler.value(x: 3, y: 1) == 0)
    }
}
