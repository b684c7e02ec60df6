// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraImaging

/// Which steps are taken from one picture to another: each that is left out or added costs time or exactness.
@Suite struct ImagePlanTests {
    private typealias Step = ImagePlan.Step

    private let even = PixelSize(width: 8, height: 6)

    private func plan(
        _ format: PixelFormat, _ size: PixelSize, in space: ColorSpace = .bt601, _ change: (inout ImageRequest) -> Void
    ) throws -> ImagePlan {
        var request = ImageRequest()
        change(&request)
        return try ImagePlan(request, format: format, size: size, colorSpace: space)
    }

    private func steps(
        _ format: PixelFormat, _ size: PixelSize, in space: ColorSpace = .bt601, _ change: (inout ImageRequest) -> Void
    ) throws -> [Step] {
        try plan(format, size, in: space, change).steps
    }

    @Test(arguments: PixelFormat.allCases.filter { !$0.isCompressed })
    func `A picture that is as it is wanted needs no step`(format: PixelFormat) throws {
        #expect(try plan(format, even, in: .jpeg) { _ in }.isIdentity)
        #expect(try plan(format, even, in: .jpeg) { $0.pixelFormat = format }.isIdentity)
    }

    @Test func `Planes are scaled as they are where no block of chroma is cut, and else with chroma for each pixel`()
        throws
    {
        let (small, odd) = (PixelSize(width: 4, height: 2), PixelSize(width: 4, height: 3))
        let narrow = PixelSize(width: 3, height: 2)
        func scaled(_ format: PixelFormat, _ from: PixelSize, _ to: PixelSize) throws -> [Step] {
            try steps(format, from, in: .jpeg) { ($0.size, $0.fit) = (to, .stretch) }
        }
        #expect(try scaled(.i420, even, small) == [.scale(small, .i420)])
        #expect(try scaled(.i420, even, odd) == [.scale(odd, .i444), .resample(.i420, .nearest)])
        #expect(try scaled(.i420, even, narrow) == [.scale(narrow, .i444), .resample(.i420, .nearest)])
        for cut in [PixelSize(width: 8, height: 5), PixelSize(width: 7, height: 6)] {
            #expect(
                try scaled(.i420, cut, small)
                    == [.resample(.i444, .nearest), .scale(small, .i444), .resample(.i420, .nearest)])
        }
        #expect(try scaled(.i422, even, odd) == [.scale(odd, .i422)])
        #expect(try scaled(.nv12, even, small) == [.planar(.i420), .scale(small, .i420), .interleave])
        #expect(try scaled(.rgb24, even, odd) == [.addAlpha(.rgba), .scale(odd, .rgba), .dropAlpha(.rgb24)])
        #expect(try scaled(.i420, even, even).isEmpty)
    }

    @Test func `Planes are reduced to less than a sixteenth in several steps, without clipped blocks of chroma`() throws
    {
        func scaled(_ format: PixelFormat, _ from: PixelSize, _ to: PixelSize) throws -> [Step] {
            try steps(format, from, in: .jpeg) { ($0.size, $0.fit) = (to, .stretch) }
        }
        let (small, sixteen) = (PixelSize(width: 6, height: 4), PixelSize(width: 96, height: 64))
        #expect(try scaled(.i420, sixteen, small) == [.scale(small, .i420)])
        let more = PixelSize(width: 98, height: 64)
        #expect(
            try scaled(.i420, more, small) == [.scale(PixelSize(width: 14, height: 64), .i420), .scale(small, .i420)])
        let large = PixelSize(width: 6000, height: 4000)
        #expect(
            try scaled(.i420, large, small) == [
                .scale(PixelSize(width: 750, height: 500), .i420), .scale(PixelSize(width: 94, height: 64), .i420),
                .scale(small, .i420),
            ])
        #expect(try scaled(.bgra, large, small) == [.scale(small, .bgra)])
    }

    @Test func `A crop at a block of chroma is a view and a copy, and at another place splits the chroma`() throws {
        func cropped(_ x: Int, _ y: Int, to format: PixelFormat? = nil) throws -> [Step] {
            try steps(.i420, even) {
                ($0.crop, $0.pixelFormat) = (PixelRect(x: x, y: y, width: 4, height: 4), format)
            }
        }
        #expect(try cropped(2, 2) == [.crop(PixelRect(x: 2, y: 2, width: 4, height: 4)), .copy])
        #expect(
            try cropped(1, 0) == [
                .crop(PixelRect(x: 0, y: 0, width: 5, height: 4)), .resample(.i444, .nearest),
                .crop(PixelRect(x: 1, y: 0, width: 4, height: 4)), .resample(.i420, .nearest),
            ])
        #expect(
            try cropped(2, 1) == [
                .crop(PixelRect(x: 2, y: 0, width: 4, height: 5)), .resample(.i444, .nearest),
                .crop(PixelRect(x: 0, y: 1, width: 4, height: 4)), .resample(.i420, .nearest),
            ])
        // As the wanted RGB, if nothing but the second crop follows.
        #expect(
            try cropped(1, 0, to: .bgra) == [
                .crop(PixelRect(x: 0, y: 0, width: 5, height: 4)), .toRGB(.bgra, .nearest),
                .crop(PixelRect(x: 1, y: 0, width: 4, height: 4)), .copy,
            ])
        #expect(try cropped(0, 0, to: .bgra).first == .crop(PixelRect(x: 0, y: 0, width: 4, height: 4)))
        #expect(
            try steps(.i420, even) { $0.crop = PixelRect(x: 0, y: 0, width: 8, height: 4) } == [
                .crop(PixelRect(x: 0, y: 0, width: 8, height: 4)), .copy,
            ])
        #expect(try steps(.i420, even) { $0.crop = PixelRect(x: 0, y: 0, width: 8, height: 6) }.isEmpty)
    }

    @Test func `Chroma is split for a turn only where its blocks would not keep their pixels`() throws {
        let mirror = OrientationTransform(.up, isMirrored: true)
        let quarter = OrientationTransform(.right, isMirrored: false)
        let half = OrientationTransform(.down, isMirrored: false)
        #expect(try steps(.i420, even) { $0.isMirrored = true } == [.orient(mirror)])
        #expect(
            try steps(.i420, PixelSize(width: 7, height: 6)) { $0.isMirrored = true }
                == [.resample(.i444, .nearest), .orient(mirror), .resample(.i420, .nearest)])
        #expect(try steps(.i420, PixelSize(width: 8, height: 5)) { $0.isMirrored = true } == [.orient(mirror)])
        #expect(
            try steps(.i420, PixelSize(width: 8, height: 5)) { $0.orientation = .down }
                == [.resample(.i444, .nearest), .orient(half), .resample(.i420, .nearest)])
        #expect(try steps(.i420, even) { $0.orientation = .right } == [.orient(quarter)])
        #expect(
            try steps(.i422, even) { $0.orientation = .right } == [.resample(.i444, .nearest), .orient(quarter)])
        #expect(try plan(.i422, even) { $0.orientation = .right }.format == .i444)
        #expect(
            try steps(.i422, even) { ($0.orientation, $0.pixelFormat) = (.right, .rgba) }
                == [.toRGB(.rgba, .nearest), .orient(quarter)])
        #expect(try steps(.yuyv, even) { $0.isMirrored = true } == [.planar(.i422), .orient(mirror)])
        #expect(try plan(.i420, even) { $0.orientation = .right }.size == PixelSize(width: 6, height: 8))
    }

    @Test func `RGB is made in one step, and in planes first where chroma is blended`() throws {
        func made(_ from: PixelFormat, _ to: PixelFormat, _ chroma: ImageRequest.ChromaUpsampling) throws -> [Step] {
            try steps(from, even, in: .jpeg) { ($0.pixelFormat, $0.chroma) = (to, chroma) }
        }
        #expect(try made(.i420, .bgra, .nearest) == [.toRGB(.bgra, .nearest)])
        #expect(try made(.i420, .bgra, .bilinear) == [.toRGB(.bgra, .bilinear)])
        #expect(try made(.nv12, .bgra, .nearest) == [.toRGB(.bgra, .nearest)])
        #expect(try made(.nv12, .bgra, .bilinear) == [.planar(.i420), .toRGB(.bgra, .bilinear)])
        #expect(try made(.i444, .bgra, .bilinear) == [.toRGB(.bgra, .nearest)])
        #expect(try made(.i420, .rgb24, .nearest) == [.toRGB(.rgba, .nearest), .dropAlpha(.rgb24)])
        #expect(try made(.bgra, .rgba, .nearest) == [.swapRedAndBlue(.rgba)])
        #expect(try made(.bgr24, .rgb24, .nearest) == [.addAlpha(.rgba), .dropAlpha(.rgb24)])
        #expect(try made(.bgr24, .rgba, .nearest) == [.addAlpha(.rgba)])
        #expect(try made(.bgra, .rgb24, .nearest) == [.dropAlpha(.rgb24)])
        #expect(try made(.bgr24, .i420, .nearest) == [.addAlpha(.bgra), .fromRGB(.i420, .bt601)])
        #expect(try steps(.bgra, even, in: .bt709) { _ in } == [.expandRange])
    }

    @Test func `YUV keeps its samples as long as neither depth nor color space changes`() throws {
        func made(_ from: PixelFormat, _ to: PixelFormat?, _ space: ColorSpace? = nil) throws -> [Step] {
            try steps(from, even) { ($0.pixelFormat, $0.colorSpace) = (to, space) }
        }
        #expect(try made(.i420, .gray8) == [.luma, .copy])
        #expect(try made(.i420, .gray8, .bt709) == [.recolor(.bt709, .i420), .luma, .copy])
        #expect(try made(.yuyv, .gray8) == [.planar(.i422), .luma, .copy])
        #expect(try made(.i010, .gray8) == [.narrow(.i420), .luma, .copy])
        #expect(try made(.i010, .i420) == [.narrow(.i420)])
        #expect(try made(.i010, .i444) == [.narrow(.i420), .resample(.i444, .nearest)])
        #expect(try made(.i420, .nv12) == [.interleave])
        #expect(try made(.nv21, .nv12) == [.planar(.i420), .interleave])
        #expect(try made(.i420, nil, .bt709) == [.recolor(.bt709, .i420)])
        #expect(try made(.i010, nil, .bt709) == [.recolor(.bt709, .i420)])
        #expect(try made(.nv12, nil, .bt709) == [.planar(.i420), .recolor(.bt709, .i420), .interleave])
        #expect(try made(.yuyv, nil, .bt709) == [.planar(.i422), .recolor(.bt709, .i422)])
    }

    @Test func `Bytes of RGB in another order are moved once, after the geometry, and only where it is needed`() throws
    {
        func made(
            _ from: PixelFormat, _ to: PixelFormat?, _ change: (inout ImageRequest) -> Void = { _ in }
        )
            throws -> [Step]
        {
            try steps(from, even, in: .jpeg) {
                $0.pixelFormat = to
                change(&$0)
            }
        }
        for source in PixelFormat.reordered {
            #expect(try made(source, .bgra) == [.reorder(.bgra)])
            #expect(try made(source, .rgba) == [.reorder(.rgba)])
        }
        for source in [PixelFormat.bgrx, .rgbx] {
            #expect(try made(source, .rgb24) == [.dropAlpha(.rgb24)])
            #expect(try made(source, .nv12) == [.fromRGB(.nv12, .bt601)])
        }
        for source in [PixelFormat.argb, .abgr, .xrgb, .xbgr] {
            #expect(try made(source, .rgb24) == [.reorder(.rgba), .dropAlpha(.rgb24)])
            #expect(try made(source, .nv12) == [.reorder(.bgra), .fromRGB(.nv12, .bt601)])
        }
        let small = PixelSize(width: 4, height: 3)
        #expect(
            try made(.xrgb, nil) { ($0.size, $0.fit) = (small, .stretch) } == [.scale(small, .xrgb), .reorder(.bgra)])
        let mirror = OrientationTransform(.up, isMirrored: true)
        #expect(try made(.bgrx, .rgba) { $0.isMirrored = true } == [.orient(mirror), .reorder(.rgba)])
        let part = PixelRect(x: 1, y: 1, width: 3, height: 3)
        #expect(try made(.argb, nil) { $0.crop = part } == [.crop(part), .copy])
        #expect(try made(.argb, .bgra) { $0.crop = part } == [.crop(part), .reorder(.bgra)])
    }

    @Test func `The color space of the result is that of the samples, or what was asked for`() throws {
        func space(
            _ from: PixelFormat, _ to: PixelFormat, _ source: ColorSpace, _ asked: ColorSpace? = nil
        ) throws
            -> ColorSpace
        {
            try plan(from, even, in: source) { ($0.pixelFormat, $0.colorSpace) = (to, asked) }.colorSpace
        }
        #expect(try space(.i420, .i444, .bt2020) == .bt2020)
        #expect(try space(.i420, .i444, .bt601, .bt709) == .bt709)
        #expect(try space(.bgra, .i420, .sRGB) == .bt601)
        #expect(try space(.bgra, .i420, .sRGB, .bt709) == .bt709)
        #expect(try space(.bgra, .rgba, .bt709).range == .full)
        var expected = ColorSpace.sRGB
        (expected.primaries, expected.transfer) = (ColorSpace.bt2020.primaries, ColorSpace.bt2020.transfer)
        #expect(try space(.i420, .bgra, .bt2020) == expected)
        #expect(try space(.i420, .bgra, .assumed).isAssumed)
        #expect(try !space(.i420, .bgra, .bt601).isAssumed)
    }

    @Test func `A view has the rows of its part and no byte more`() throws {
        var picture = try PixelBuffer.noise(.i420, 8, 6)
        let view = picture.view(of: PixelRect(x: 2, y: 2, width: 5, height: 3))
        for (index, layout) in view.planes.enumerated() {
            let stride = view.bytesPerRow(ofPlane: index)
            let count = view.withBytes(ofPlane: index) { $0.byteCount }
            #expect(count == (layout.rows - 1) * stride + layout.rowBytes)
        }
        let expected = try ImageTransformer.transform(
            picture,
            {
                var request = ImageRequest()
                request.crop = PixelRect(x: 2, y: 2, width: 5, height: 3)
                return request
            }())
        #expect(view.packedBytes() == expected.packedBytes())
        try picture.fill { _, _, _ in 0 }
        #expect(view.packedBytes() == expected.packedBytes())
    }

    @Test func `What cannot be made is refused`() {
        let refused: [(PixelFormat, PixelFormat)] = [
            (.i420, .yuyv), (.yuyv, .uyvy), (.i420, .nv21), (.i420, .i010), (.bgra, .i410), (.i420, .mjpeg),
            (.i420, .h264), (.bgra, .hevc), (.bgra, .argb), (.bgra, .bgrx), (.bgrx, .rgbx), (.i420, .xbgr),
        ]
        for (from, to) in refused {
            let error = #expect(throws: ObscuraError.self) { try steps(from, even) { $0.pixelFormat = to } }
            #expect(error?.code == .unsupportedFormat, "\(from) to \(to)")
        }
        for format in PixelFormat.allCases where format.isCompressed {
            #expect(throws: ObscuraError.self) { try steps(format, even) { _ in } }
        }
        // Its own format is not kept when the picture is turned.
        #expect(throws: ObscuraError.self) {
            try steps(.yuyv, even) { ($0.pixelFormat, $0.isMirrored) = (.yuyv, true) }
        }
        #expect(throws: ObscuraError.self) {
            try steps(.i010, even) { ($0.pixelFormat, $0.colorSpace) = (.i010, .bt709) }
        }
    }
}
