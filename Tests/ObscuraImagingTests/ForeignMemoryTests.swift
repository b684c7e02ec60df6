// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

/// Memory of a kernel or a decoder has no padding: what is read past its end may not exist. Here every plane
/// ends where a page ends (or begins where one begins) whose neighbour may not be touched, so that a kernel
/// that reads too far ends the test run.
@Suite struct ForeignMemoryTests {
    /// Expects of a picture in foreign memory what becomes of the same picture in ordinary memory.
    private func expectSame(_ picture: PixelBuffer, _ plain: PixelBuffer, _ request: ImageRequest) throws {
        let result = try ImageTransformer.transform(picture, request)
        let isSame = try result.packedBytes() == ImageTransformer.transform(plain, request).packedBytes()
        #expect(isSame, "\(picture.format) \(picture.size): \(request)")
    }

    @Test(arguments: PixelFormat.uncompressed, [true, false])
    func `nothing outside of the planes is read`(format: PixelFormat, atEnd: Bool) throws {
        for (width, height) in [(1, 1), (2, 2), (3, 5), (31, 7), (64, 4), (97, 33), (130, 18), (640, 9)] {
            let picture = try PixelBuffer.guarded(format, width, height, atEnd: atEnd)
            let plain = try PixelBuffer.flat(format, width, height)
            for target in [nil] + PixelFormat.targets.map({ $0 }) {
                for turn in Orientation.allCases {
                    for isMirrored in [false, true] {
                        var request = ImageRequest(pixelFormat: target)
                        request.orientation = turn
                        request.isMirrored = isMirrored
                        try expectSame(picture, plain, request)
                    }
                }
                let half = (max(1, width / 2), max(1, height / 2))
                for size in [(1, 1), (width * 2, height * 2), half, (17, 23), (129, 5)] {
                    var request = ImageRequest(pixelFormat: target, size: PixelSize(width: size.0, height: size.1))
                    request.fit = .stretch
                    try expectSame(picture, plain, request)
                }
                var request = ImageRequest(pixelFormat: target)
                request.chroma = .bilinear
                try expectSame(picture, plain, request)
                request.colorSpace = .jpeg
                try expectSame(picture, plain, request)
                let (x, y) = (width / 2, height / 2)
                request.crop = PixelRect(x: x, y: y, width: width - x, height: height - y)
                try expectSame(picture, plain, request)
            }
            #expect(try JPEGEncoder().encode(picture) == JPEGEncoder().encode(plain))
            #expect(try PNGEncoder().encode(picture) == PNGEncoder().encode(plain))
            for variant in PixelKernels.Variant.allCases {
                guard format.isYUV, let kernels = PixelKernels(variant) else { continue }
                var target = try PixelBuffer.guarded(.bgra, width, height, atEnd: atEnd)
                try kernels.convertToRGB(picture, into: &target)
                var expected = try PixelBuffer.flat(.bgra, width, height)
                try kernels.convertToRGB(plain, into: &expected)
                #expect(target.packedBytes() == expected.packedBytes())
            }
        }
    }
}
