// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Crop, turn and mirror move pixels; scaling keeps shapes and positions.
@Suite struct GeometryTests {
    static let turns = Orientation.allCases.flatMap { turn in [false, true].map { (turn, $0) } }

    @Test(arguments: PixelFormat.uncompressed, [(1, 1), (3, 5), (8, 6), (19, 18), (18, 19)])
    func `turning, mirroring and cropping move pixels and change none`(
        format: PixelFormat, size: (Int, Int)
    ) throws {
        let picture = try PixelBuffer.noise(format, size.0, size.1, seed: 3)
        let rgb = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra)).pixels()
        for (turn, isMirrored) in Self.turns {
            for rect in crops(of: picture.size) {
                var request = ImageRequest(pixelFormat: .bgra)
                request.orientation = turn
                request.isMirrored = isMirrored
                request.crop = rect
                let result = try ImageTransformer.transform(picture, request)
                let expected = rgb.cropped(rect).turned(turn, isMirrored: isMirrored)
                #expect(result.pixels().difference(from: expected) == 0, "\(turn) \(isMirrored) \(rect)")

                request.pixelFormat = nil
                let promised = try ImageTransformer.result(of: request, for: format, size: picture.size)
                let kept = try ImageTransformer.transform(picture, request)
                #expect(kept.format == promised.format)
                #expect(kept.size == promised.size)
                let (columns, rows) = kept.format.chromaSubsampling
                let moved = picture.pixels().cropped(rect).turned(turn, isMirrored: isMirrored)
                let exact = format.isYUV ? moved.sharingChroma(columns, rows) : moved
                #expect(kept.pixels().difference(from: exact) <= 0.5, "\(turn) \(isMirrored) \(rect)")
            }
        }
    }

    @Test(arguments: [
        PixelFormat.bgra, .rgb24, .argb, .bgrx, .rgbx, .i420, .nv12, .nv21, .nv16, .i422, .yuyv, .vyuy, .gray8, .i010,
        .i410,
    ])
    func `a picture keeps its format through geometry where it can`(format: PixelFormat) throws {
        func made(_ change: (inout ImageRequest) -> Void) throws -> PixelFormat {
            var request = ImageRequest()
            change(&request)
            return try ImageTransformer.result(of: request, for: format, size: PixelSize(width: 64, height: 48)).format
        }
        let planar: PixelFormat =
            switch format {
            case .yuyv, .vyuy, .nv16: .i422
            case .nv21: .i420
            case .argb, .bgrx, .rgbx: .bgra
            default: format
            }
        #expect(try made { $0.crop = PixelRect(x: 2, y: 4, width: 9, height: 9) } == (format))
        #expect(try made { $0.isMirrored = true } == planar)
        #expect(try made { $0.orientation = .down } == planar)
        #expect(try made { $0.size = PixelSize(width: 31, height: 17) } == planar)
        #expect(try made { $0.orientation = .left } == (planar == .i422 ? .i444 : planar))
    }

    @Test(arguments: [
        // source, wanted, aspect
        ((1280, 720), (640, 640), (640, 360)), ((720, 1280), (640, 640), (360, 640)),
        ((640, 480), (64, 49), (64, 48)), ((641, 361), (320, 240), (320, 180)), ((1000, 1), (10, 10), (10, 1)),
        ((1, 1000), (10, 10), (1, 10)), ((3, 5), (300, 300), (180, 300)), ((1, 1), (7, 9), (7, 7)),
        ((640, 480), (640, 480), (640, 480)),
    ])
    func `fill and stretch give the size, aspect the largest of the same shape inside of it`(
        source: (Int, Int), wanted: (Int, Int), aspect: (Int, Int)
    ) throws {
        let sourceSize = PixelSize(width: source.0, height: source.1)
        for format in PixelFormat.uncompressed {
            let picture = try PixelBuffer(format: format, width: source.0, height: source.1)
            for fit in ImageRequest.Fit.allCases {
                for turn in [Orientation.up, .right] where turn == .up || source.0 < 700 {
                    var request = ImageRequest(size: PixelSize(width: wanted.0, height: wanted.1))
                    request.orientation = turn
                    request.fit = fit
                    if turn == .right { request.size = request.size?.transposed }
                    let sides = fit == .aspect ? aspect : wanted
                    var expected = PixelSize(width: sides.0, height: sides.1)
                    if turn == .right { expected = expected.transposed }
                    let promised = try ImageTransformer.result(of: request, for: format, size: sourceSize)
                    #expect(promised.size == expected)
                    let result = try ImageTransformer.transform(picture, request)
                    #expect(result.size == expected)
                    #expect(result.format == promised.format)
                }
            }
        }
    }

    @Test(arguments: PixelFormat.uncompressed, [(640, 480), (641, 361), (96, 97)])
    func `a scaled gradient is the same gradient`(format: PixelFormat, size: (Int, Int)) throws {
        let source = try Gradient.picture(format, PixelSize(width: size.0, height: size.1))
        for (width, height) in [(320, 240), (321, 241), (97, 55), (800, 600), (1000, 333)] {
            for chroma in ImageRequest.ChromaUpsampling.allCases {
                let wanted = PixelSize(width: width, height: height)
                var request = ImageRequest(pixelFormat: .rgba, size: wanted)
                request.fit = .stretch
                request.chroma = chroma
                let result = try ImageTransformer.transform(source, request)
                #expect(result.size == wanted)
                // Two steps of the coarser raster, and what bytes and shared chroma lose.
                let step = 2 * 200 / Double(min(size.0, size.1, width, height))
                let tolerance = format == .gray8 ? 255 : step + 6
                #expect(Gradient.difference(of: result) <= tolerance, "\(wanted) \(chroma)")
            }
        }
    }

    @Test(arguments: PixelFormat.uncompressed)
    func `a picture can be reduced to a quarter in one direction and to any part in the other`(
        format: PixelFormat
    ) throws {
        var picture = try PixelBuffer(format: format, width: 64, height: 240)
        try picture.fill { _, _, _ in 128 }
        for part in [2, 3, 4, 5, 6, 8, 10, 12, 14, 20, 30] {
            var request = ImageRequest(pixelFormat: .bgra, size: PixelSize(width: 16, height: 240 / part))
            request.fit = .stretch
            #expect(try ImageTransformer.transform(picture, request).size == request.size)
        }
    }

    @Test(arguments: [PixelFormat.gray8, .i420, .nv12, .i010])
    func `a picture of one color keeps it however much it is reduced`(format: PixelFormat) throws {
        let bright: UInt16 = format.bitDepth > 8 ? 1000 : 250
        for (width, height) in [(320, 320), (368, 370), (16, 2400)] {
            var picture = try PixelBuffer(format: format, width: width, height: height)
            try picture.fill { _, _, _ in bright }
            var request = ImageRequest(size: PixelSize(width: 4, height: 4))
            request.fit = .stretch
            let result = try ImageTransformer.transform(picture, request)
            for plane in 0..<result.planeCount {
                let samples = result.samples(ofPlane: plane)
                #expect(samples.allSatisfy { (Int(bright) - 4...Int(bright)).contains($0) }, "\(width)x\(height)")
            }
        }
    }

    @Test(arguments: PixelFormat.uncompressed.filter { !$0.isYUV })
    func `a scaled picture in RGB is as bright and as opaque as before`(format: PixelFormat) throws {
        var picture = try PixelBuffer(format: format, width: 96, height: 72)
        for value: UInt8 in [0, 1, 127, 128, 250, 255] {
            try picture.fill { _, _, _ in UInt16(value) }
            for (width, height) in [(192, 144), (96, 100), (97, 73), (64, 48), (48, 36), (31, 50), (24, 72), (9, 7)] {
                var request = ImageRequest(pixelFormat: .rgba, size: PixelSize(width: width, height: height))
                request.fit = .stretch
                let samples = try ImageTransformer.transform(picture, request).samples(ofPlane: 0)
                let hasAlpha = [.bgra, .rgba, .argb, .abgr].contains(format)
                let alpha = hasAlpha && value < 255 ? Int(value) - 1...Int(value) + 1 : 255...255
                for (index, sample) in samples.enumerated() {
                    let allowed = index % 4 == 3 ? alpha : Int(value) - 1...Int(value) + 1
                    #expect(allowed.contains(sample), "\(value) at \(width)x\(height), byte \(index): \(sample)")
                }
            }
        }
    }

    @Test func `a picture in RGB is reduced to the mean of its pixels`() throws {
        // Every sixth column is white.
        var picture = try PixelBuffer(format: .bgra, width: 600, height: 60)
        try picture.fill { _, x, _ in x / 4 % 6 == 0 ? 255 : 0 }
        let request = ImageRequest(size: PixelSize(width: 50, height: 5))
        let samples = try ImageTransformer.transform(picture, request).samples(ofPlane: 0)
        #expect(samples.allSatisfy { (41...43).contains($0) })
    }

    @Test func `fill cuts both sides evenly, wherever they end up`() throws {
        // Columns 0...99 in the middle are white, 50 on each side are black.
        var picture = try PixelBuffer(format: .gray8, width: 200, height: 100, colorSpace: .jpeg)
        try picture.fill { _, x, _ in (50..<150).contains(x) ? 255 : 0 }
        for (turn, isMirrored) in Self.turns {
            var request = ImageRequest(size: PixelSize(width: 50, height: 50))
            request.orientation = turn
            request.isMirrored = isMirrored
            let result = try ImageTransformer.transform(picture, request)
            #expect(result.samples(ofPlane: 0).allSatisfy { $0 == 255 })
        }
    }

    @Test func `fill after a turn takes the part that a mirror shows there`() throws {
        // An odd rest: the cut is one pixel narrower on the left of the result, or the right of the source.
        let picture = try PixelBuffer.noise(.bgra, 11, 4)
        for (turn, isMirrored) in Self.turns {
            let wanted = PixelSize(width: 8, height: 4)
            var request = ImageRequest(size: turn.isTransposed ? wanted.transposed : wanted)
            request.orientation = turn
            request.isMirrored = isMirrored
            let whole = picture.pixels().turned(turn, isMirrored: isMirrored)
            let rect =
                turn.isTransposed
                ? PixelRect(x: 0, y: 1, width: 4, height: 8) : PixelRect(x: 1, y: 0, width: 8, height: 4)
            let result = try ImageTransformer.transform(picture, request)
            #expect(result.pixels().difference(from: whole.cropped(rect)) == 0, "\(turn) \(isMirrored)")
        }
    }

    @Test(arguments: PixelFormat.uncompressed)
    func `any mixture of steps keeps its promise`(format: PixelFormat) throws {
        var dice = Dice(seed: 17)
        for _ in 0..<120 {
            let size = PixelSize(width: .random(in: 1...70, using: &dice), height: .random(in: 1...70, using: &dice))
            let picture = try PixelBuffer.noise(format, size.width, size.height)
            var request = ImageRequest()
            request.pixelFormat = ([nil] + PixelFormat.targets.map { $0 }).randomElement(using: &dice) ?? nil
            if Bool.random(using: &dice) {
                let width = Int.random(in: 1...99, using: &dice)
                request.size = PixelSize(width: width, height: .random(in: 1...99, using: &dice))
            }
            request.fit = .allCases.randomElement(using: &dice) ?? .fill
            request.crop = crops(of: size).randomElement(using: &dice)
            request.orientation = .allCases.randomElement(using: &dice) ?? .up
            request.isMirrored = .random(using: &dice)
            request.chroma = .allCases.randomElement(using: &dice) ?? .nearest
            request.colorSpace = Bool.random(using: &dice) ? ColorSpace.pairs.randomElement(using: &dice) : nil
            let promised = try ImageTransformer.result(
                of: request, for: format, size: size, colorSpace: picture.colorSpace)
            let result = try ImageTransformer.transform(picture, request)
            #expect(result.format == promised.format, "\(request)")
            #expect(result.size == promised.size, "\(request)")
        }
    }

    private func crops(of size: PixelSize) -> [PixelRect] {
        let (width, height) = (size.width, size.height)
        var rects = [
            PixelRect(x: 0, y: 0, width: width, height: height),
            PixelRect(x: width / 2, y: height / 2, width: width - width / 2, height: height - height / 2),
            PixelRect(x: width - 1, y: height - 1, width: 1, height: 1),
        ]
        if width > 2, height > 3 { rects.append(PixelRect(x: 1, y: 2, width: width - 2, height: height - 3)) }
        return rects
    }
}
