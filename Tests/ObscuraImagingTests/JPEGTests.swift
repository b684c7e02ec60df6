// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@Suite struct JPEGTests {
    @Test(arguments: PixelFormat.uncompressed, ColorSpace.pairs)
    func `a smooth picture survives in each format and colour space`(format: PixelFormat, space: ColorSpace) throws {
        guard format.isYUV || space == .bt709 else { return }
        for size in [(96, 64), (61, 35), (1, 1), (2, 3), (17, 1)] {
            let picture = try waves(format, size.0, size.1, format.isYUV ? space : .sRGB)
            let decoded = try JPEGDecoder.decode(try JPEGEncoder(quality: 98).encode(picture))
            #expect(decoded.size == picture.size)
            #expect(decoded.colorSpace == .jpeg)
            if format.isYUV {
                #expect(decoded.format.chromaSubsampling == format.chromaSubsampling)
                #expect((decoded.format == .gray8) == (format == .gray8))
            } else {
                #expect(decoded.format == .i420)
            }
            let request = ImageRequest(pixelFormat: .rgba)
            let before = try ImageTransformer.transform(picture, request).pixels()
            let after = try ImageTransformer.transform(decoded, request).pixels()
            #expect(after.difference(from: before) <= (format.isYUV ? 9 : 24), "\(size)")
        }
    }

    @Test(arguments: [ColorSpace.bt601, .bt709, .bt2020], [PixelFormat.i420, .nv12, .i422, .i444, .yuyv, .i010])
    func `saturated colours come out as they went in`(space: ColorSpace, format: PixelFormat) throws {
        let exact = ExactColors(space, bitDepth: format.bitDepth)
        let primaries = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
        for color in primaries + [(255, 255, 0), (0, 255, 255), (255, 0, 255), (255, 255, 255)] {
            let rgb = SIMD3(Double(color.0), Double(color.1), Double(color.2))
            let codes = exact.yuv(rgb).rounded(.toNearestOrAwayFromZero)
            var picture = try PixelBuffer(format: format, width: 32, height: 16, colorSpace: space)
            try picture.fill { plane, x, _ in
                switch format {
                case .nv12: UInt16(codes[plane == 0 ? 0 : 1 + x % 2])
                case .yuyv: UInt16(codes[[0, 1, 0, 2][x % 4]])
                default: UInt16(codes[plane])
                }
            }
            let decoded = try JPEGDecoder.decode(try JPEGEncoder(quality: 95).encode(picture))
            let result = try ImageTransformer.transform(decoded, ImageRequest(pixelFormat: .bgra)).pixels()
            let expected = Raster(width: 32, height: 16) { _, _ in rgb }
            // Chroma beyond the codes of full range (pure blue) is cut by 1 in 128.
            #expect(result.difference(from: expected) <= 5, "\(color)")
        }
    }

    @Test(arguments: [PixelFormat.bgra, .rgb24, .xrgb]) func `RGB of limited range is written in full range`(
        format: PixelFormat
    ) throws {
        var limited = ColorSpace.sRGB
        limited.range = .limited
        var picture = try PixelBuffer(format: format, width: 32, height: 16, colorSpace: limited)
        for (code, expected) in [(UInt16(16), 0), (235, 255)] {
            try picture.fill { _, _, _ in code }
            let decoded = try JPEGDecoder.decode(try JPEGEncoder(quality: 95).encode(picture))
            #expect(decoded.samples(ofPlane: 0).allSatisfy { abs($0 - expected) <= 1 }, "\(code)")
        }
    }

    @Test func `a worse quality makes a shorter file`() throws {
        let picture = try waves(.i420, 320, 240, .jpeg)
        let lengths = try [10, 50, 90, 100].map { try JPEGEncoder(quality: $0).encode(picture).count }
        #expect(lengths == lengths.sorted())
        #expect(Set(lengths).count == 4)
        for quality in [0, 101, -1] {
            #expect(throws: ObscuraError.self) { try JPEGEncoder(quality: quality) }
        }
    }

    @Test func `an encoder makes the same file of the same picture again, whatever came between`() throws {
        let encoder = try JPEGEncoder()
        let small = try waves(.nv12, 33, 17, .bt709)
        let first = try encoder.encode(small)
        _ = try encoder.encode(try waves(.bgra, 640, 360, .sRGB))
        #expect(try encoder.encode(small) == first)
    }

    @Test(arguments: [PixelFormat.i420, .i422, .i444, .gray8])
    func `a picture that is shown small is decoded at a part of its size`(format: PixelFormat) throws {
        for (width, height) in [(640, 480), (123, 457), (17, 9)] {
            let file = try JPEGEncoder(quality: 95).encode(try waves(format, width, height, .jpeg))
            let whole = try Still(file).picture
            for box in [1, 9, 60, 80, 100, 320, 321, 640, 16384].map({ PixelSize(width: $0, height: $0) }) {
                let part = try Still(file, fitting: box).picture
                #expect(try part.size == StillInfo(file).decodedSize(fitting: box) && part.format == whole.format)
                let scale = min(1, Double(box.width) / Double(max(width, height)))
                // It covers what it is shown as, and no half of it would.
                #expect(Double(part.width) >= Double(width) * scale && Double(part.height) >= Double(height) * scale)
                let isHalfEnough = max((part.width + 1) / 2, (part.height + 1) / 2) >= box.width
                #expect(!isHalfEnough || part.width == (width + 7) / 8, "\(part.size) for \(box)")
                guard part.size != whole.size, part.width > 16 else { continue }
                var request = ImageRequest(size: part.size)
                request.pixelFormat = .rgba
                let expected = try ImageTransformer.transform(whole, request).pixels()
                let found = try ImageTransformer.transform(part, request).pixels()
                #expect(found.difference(from: expected) <= 24, "\(part.size) of \(width)x\(height)")
            }
        }
    }

    @Test func `a turned photo is shown in a box that is not turned`() throws {
        var properties = StillProperties()
        properties.orientation = .right
        let file = try StillEncoder(.jpeg(quality: 95)).encode(try waves(.i420, 640, 80, .jpeg), properties)
        let box = PixelSize(width: 80, height: 160)
        #expect(try StillInfo(file).decodedSize(fitting: box) == PixelSize(width: 20, height: 160))
        #expect(try Still(file, fitting: box).picture.size == PixelSize(width: 20, height: 160))
    }

    @Test func `the memory of decoding is known before it is taken`() throws {
        var file = try JPEGEncoder().encode(try waves(.i420, 640, 480, .jpeg))
        let samples = 640 * 480 * 3 / 2
        #expect(try StillInfo(file).decodingBytes(fitting: nil) == samples)
        #expect(try StillInfo(file).decodingBytes(fitting: PixelSize(width: 80, height: 80)) == samples / 64)
        // With 4:4:0 and 4:1:1, which have as many samples as 4:2:2 and 4:2:0, it becomes BGRA.
        let header = try #require((0..<file.count - 12).first { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        for factors in [UInt8(0x12), 0x41, 0x11] {
            var rare = file
            rare[header + 11] = factors
            #expect(try StillInfo(rare).decodingBytes(fitting: nil) == 640 * 480 * 4)
        }
        // A progressive file keeps its coefficients, however small it is shown.
        let marker = try #require((0..<file.count - 9).first { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        file[marker + 1] = 0xc2
        #expect(try StillInfo(file).decodingBytes(fitting: nil) == 3 * samples)
        #expect(
            try StillInfo(file).decodingBytes(fitting: PixelSize(width: 80, height: 80)) == 2 * samples + samples / 64)
        // So does one whose first scan has one of three components.
        file[marker + 1] = 0xc0
        let scan = try #require((marker..<file.count - 9).first { file[$0] == 0xff && file[$0 + 1] == 0xda })
        file[scan + 4] = 1
        #expect(try StillInfo(file).decodingBytes(fitting: nil) == 3 * samples)
    }

    @Test func `a camera that agreed to a small picture cannot send a huge one`() throws {
        let file = try JPEGEncoder().encode(try PixelBuffer(format: .gray8, width: 4097, height: 8))
        func decoded(width: Int) throws -> PixelBuffer {
            try EncodedFrame(
                format: .mjpeg, data: file, width: width, height: 8, isKeyFrame: true, presentationTime: .zero,
                hostTime: .now, sequence: 0
            ).decodedFrame().buffer
        }
        #expect(throws: ObscuraError.self) { try decoded(width: 640) }
        #expect(try decoded(width: 2049).width == 4097)
    }

    @Test func `a file cut anywhere is an error`() throws {
        let file = try JPEGEncoder().encode(try PixelBuffer.noise(.i420, 48, 48))
        _ = try JPEGDecoder.decode(file)
        for length in 0..<(file.count - 1) {
            let error = #expect(throws: ObscuraError.self, "\(length) of \(file.count)") {
                try JPEGDecoder.decode(Array(file.prefix(length)))
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `random bytes and random damage never trap`() throws {
        var dice = Dice(seed: 4)
        let file = try JPEGEncoder(quality: 60).encode(try waves(.i422, 61, 33, .jpeg))
        for round in 0..<600 {
            var bytes = file
            if round % 3 == 0 {
                bytes = (0..<Int.random(in: 0...300, using: &dice)).map { _ in .random(in: 0...255, using: &dice) }
                if round % 2 == 0 { bytes = [0xff, 0xd8, 0xff] + bytes }
            } else {
                for _ in 0..<Int.random(in: 1...8, using: &dice) {
                    bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
                }
            }
            do {
                let picture = try JPEGDecoder.decode(bytes)
                #expect(picture.width > 0)
            } catch let error as ObscuraError {
                #expect(error.code == .damaged || error.code == .tooLarge)
            }
        }
    }

    @Test func `a file that claims a huge picture is refused before memory is taken for it`() throws {
        var file = try JPEGEncoder().encode(try PixelBuffer.noise(.i420, 16, 16))
        let marker = try #require((0..<file.count - 9).first { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        file.replaceSubrange((marker + 5)..<(marker + 9), with: [0x40, 0x00, 0x40, 0x00])
        let short = #expect(throws: ObscuraError.self) { try JPEGDecoder.decode(file) }
        #expect(short?.code == .damaged)
        file.replaceSubrange((marker + 5)..<(marker + 9), with: [0x80, 0x00, 0x40, 0x01])
        let large = #expect(throws: ObscuraError.self) { try JPEGDecoder.decode(file) }
        #expect(large?.code == .tooLarge)
        let wide = try PixelBuffer(format: .gray8, width: 16385, height: 1)
        let error = #expect(throws: ObscuraError.self) { try JPEGEncoder().encode(wide) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a frame of a camera is at most as large as its mode allows`() throws {
        let jpeg = try JPEGEncoder().encode(try PixelBuffer(format: .gray8, width: 4104, height: 16))
        func frame(width: Int) -> EncodedFrame {
            EncodedFrame(
                format: .mjpeg, data: jpeg, width: width, height: 16, isKeyFrame: true, presentationTime: .zero,
                hostTime: .now, sequence: 0)
        }
        // 4096, or twice the side of the mode.
        let error = #expect(throws: ObscuraError.self) { try frame(width: 2047).decodedFrame() }
        #expect(error?.code == .tooLarge)
        #expect(try frame(width: 2052).decodedFrame().buffer.width == 4104)
    }

    @Test func `bytes after the end and filling before it do no harm`() throws {
        let picture = try waves(.i420, 40, 24, .jpeg)
        let file = try JPEGEncoder().encode(picture)
        let expected = try JPEGDecoder.decode(file).samples(ofPlane: 0)
        #expect(try JPEGDecoder.decode(file + [UInt8](repeating: 0, count: 700)).samples(ofPlane: 0) == expected)
        for filling in [[0, 0, 0], [0, 255, 255], [255, 255, 0, 0, 0, 255]] as [[UInt8]] {
            let filled: [UInt8] = Array(file.dropLast(2)) + filling + [0xff, 0xd9]
            #expect(try JPEGDecoder.decode(filled).samples(ofPlane: 0) == expected)
        }
    }

    @Test func `data that is left over before the end is damage`() throws {
        let file = try JPEGEncoder().encode(try waves(.i420, 40, 24, .jpeg))
        // More than the decoder reads ahead, which nobody sees.
        let more = Array(file.dropLast(2)) + [UInt8](repeating: 0x5a, count: 40) + [0xff, 0xd9]
        let error = #expect(throws: ObscuraError.self) { try JPEGDecoder.decode(more) }
        #expect(error?.code == .damaged)
        // The marker of a small picture inside is not that of the file.
        let segment: [UInt8] = [0xff, 0xe1, 0, 6, 0, 0, 0xff, 0xd9]
        let inside = #expect(throws: ObscuraError.self) {
            try JPEGDecoder.decode(Array(more.prefix(2)) + segment + more.dropFirst(2))
        }
        #expect(inside?.code == .damaged)
        let whole = file[..<2] + segment + file[2..<(file.count - 2)] + [0, 0, 0, 0xff, 0xd9]
        #expect(try JPEGDecoder.decode(Array(whole)).size == PixelSize(width: 40, height: 24))
    }

    @Test func `data of another picture in the middle is damage`() throws {
        let file = try JPEGEncoder().encode(try PixelBuffer.noise(.i420, 64, 48, .jpeg))
        let middle = file.count / 2
        // A part is missing: the samples that are left are too few, or do not make sense.
        let error = #expect(throws: ObscuraError.self) {
            try JPEGDecoder.decode(Array(file[..<middle] + file[(middle + 200)...]))
        }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: [PixelFormat.i420, .i422, .i444, .gray8], [(64, 32), (61, 35)])
    func `a file without Huffman tables, as cameras send, is decoded`(
        format: PixelFormat, size: (Int, Int)
    ) throws {
        let file = try JPEGEncoder(quality: 80).encode(try waves(format, size.0, size.1, .jpeg))
        var bare: [UInt8] = Array(file.prefix(2))
        var index = 2
        while file[index + 1] != 0xda {
            let length = 2 + Int(file[index + 2]) << 8 + Int(file[index + 3])
            if file[index + 1] != 0xc4 { bare += file[index..<(index + length)] }
            index += length
        }
        bare += file[index...]
        #expect(bare.count < file.count)
        let (decoded, expected) = (try JPEGDecoder.decode(bare), try JPEGDecoder.decode(file))
        #expect(decoded.format == format)
        #expect(decoded.packedBytes() == expected.packedBytes())
    }

    /// Smooth waves in all three samples, inside the legal codes.
    private func waves(_ format: PixelFormat, _ width: Int, _ height: Int, _ space: ColorSpace) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .i444, width: width, height: height, colorSpace: space)
        try picture.fill { plane, x, y in
            let triangle = abs((x * (plane + 2) / 2 + y) % 128 - 64)
            return UInt16(plane == 0 ? 80 + triangle : 108 + triangle / 2)
        }
        if PixelFormat.targets.contains(format) {
            var request = ImageRequest(pixelFormat: format)
            request.colorSpace = format.isYUV ? space : nil
            return try ImageTransformer.transform(picture, request)
        }
        if let places = format.colorPlaces {
            let pixels = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .rgba))
            let bytes = pixels.samples(ofPlane: 0)
            var other = try PixelBuffer(format: format, width: width, height: height, colorSpace: space)
            try other.fill { _, x, y in
                UInt16(places.firstIndex(of: x % 4).map { bytes[4 * (y * width + x / 4) + $0] } ?? 0)
            }
            return other
        }
        var other = try PixelBuffer(format: format, width: width, height: height, colorSpace: space)
        try other.fill { plane, x, y in
            let (columns, rows) = format.chromaSubsampling
            func triangle(_ plane: Int, _ x: Int, _ y: Int) -> Int { abs((x * (plane + 2) / 2 + y) % 128 - 64) }
            func sample(_ plane: Int, _ x: Int, _ y: Int) -> Int {
                plane == 0 ? 80 + triangle(0, x, y) : 108 + triangle(plane, x, y) / 2
            }
            switch format {
            case .yuyv: return UInt16(x % 2 == 0 ? sample(0, x / 2, y) : sample(x % 4 == 1 ? 1 : 2, x / 4 * 2, y))
            case .yvyu: return UInt16(x % 2 == 0 ? sample(0, x / 2, y) : sample(x % 4 == 1 ? 2 : 1, x / 4 * 2, y))
            case .uyvy: return UInt16(x % 2 == 1 ? sample(0, x / 2, y) : sample(x % 4 == 0 ? 1 : 2, x / 4 * 2, y))
            case .vyuy: return UInt16(x % 2 == 1 ? sample(0, x / 2, y) : sample(x % 4 == 0 ? 2 : 1, x / 4 * 2, y))
            case .nv21: return UInt16(plane == 0 ? sample(0, x, y) : sample(2 - x % 2, x / 2 * 2, y * rows))
            case .nv16: return UInt16(plane == 0 ? sample(0, x, y) : sample(1 + x % 2, x / 2 * 2, y * rows))
            default: return UInt16(4 * (plane == 0 ? sample(0, x, y) : sample(plane, x * columns, y * rows)))
            }
        }
        return other
    }
}
