// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

/// Memory of a kernel or a decoder has no padding: what is read past its end may not exist. Here every plane
/// ends where a page ends (or begins where one begins) whose neighbour may not be touched, so that a kernel
/// that reads too far ends the test run.
@Suite struct ForeignMemoryTests {
    @Test(arguments: PixelFormat.uncompressed, [true, false])
    func `nothing outside of the planes is read`(format: PixelFormat, atEnd: Bool) throws {
        for (width, height) in [(1, 1), (2, 2), (3, 5), (31, 7), (64, 4), (97, 33), (130, 18), (640, 9)] {
            let picture = try PixelBuffer.guarded(format, width, height, atEnd: atEnd)
            for target in [nil] + PixelFormat.targets.map({ $0 }) {
                for turn in Orientation.allCases {
                    for isMirrored in [false, true] {
                        var request = ImageRequest(pixelFormat: target)
                        request.orientation = turn
                        request.isMirrored = isMirrored
                        _ = try ImageTransformer.transform(picture, request)
                    }
                }
                let half = (max(1, width / 2), max(1, height / 2))
                for size in [(1, 1), (width * 2, height * 2), half, (17, 23), (129, 5)] {
                    var request = ImageRequest(pixelFormat: target, size: PixelSize(width: size.0, height: size.1))
                    request.fit = .stretch
                    _ = try ImageTransformer.transform(picture, request)
                }
                var request = ImageRequest(pixelFormat: target)
                request.chroma = .bilinear
                _ = try ImageTransformer.transform(picture, request)
                request.colorSpace = .jpeg
                _ = try ImageTransformer.transform(picture, request)
                let (x, y) = (width / 2, height / 2)
                request.crop = PixelRect(x: x, y: y, width: width - x, height: height - y)
                _ = try ImageTransformer.transform(picture, request)
            }
            _ = try JPEGEncoder().encode(picture)
            _ = try PNGEncoder().encode(picture)
            for variant in PixelKernels.Variant.allCases {
                guard format.isYUV, let kernels = PixelKernels(variant) else { continue }
                var target = try PixelBuffer.guarded(.bgra, width, height, atEnd: atEnd)
                try kernels.convertToRGB(picture, into: &target)
            }
        }
    }
}
