// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite("Bitmaps of CIContext") struct BitmapTests {
    private let context = CIContext()

    /// The bytes of a bitmap, in which those that are not written are 7.
    private func bitmap(
        _ image: CIImage, _ bounds: CGRect, _ format: CIFormat = .BGRA8, rowBytes: Int, rows: Int
    ) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: rowBytes * rows)
        bytes.withUnsafeMutableBytes { target in
            guard let base = target.baseAddress else { return }
            context.render(
                image, toBitmap: base, rowBytes: rowBytes, bounds: bounds, format: format,
                colorSpace: CGColorSpaceCreateDeviceRGB())
        }
        return bytes
    }

    @Test("Each format has its order of the bytes") func formats() throws {
        let color = TestColor(red: 1, green: 2, blue: 3)
        let image = CIImage(cgImage: CGImage(try .bgra(1, 1) { _, _ in color }))
        for (format, bytes): (CIFormat, [UInt8]) in [
            (.BGRA8, [3, 2, 1, 255]), (.RGBA8, [1, 2, 3, 255]), (.ARGB8, [255, 1, 2, 3]), (.ABGR8, [255, 3, 2, 1]),
        ] {
            #expect(bitmap(image, CGRect(x: 0, y: 0, width: 1, height: 1), format, rowBytes: 4, rows: 1) == bytes)
        }
    }

    @Test("Rows begin at the top, and the bytes between them stay") func rows() throws {
        let picture = try PixelBuffer.distinct(3, 2)
        let image = CIImage(cgImage: CGImage(picture))
        let bytes = bitmap(image, image.extent, rowBytes: 15, rows: 2)
        let packed = picture.packedBytes()
        let kept: ArraySlice<UInt8> = [7, 7, 7]
        #expect(bytes == [packed[..<12], kept, packed[12...], kept].flatMap { $0 })
    }

    @Test("Pixels outside of the image are transparent") func outside() throws {
        let image = CIImage(cgImage: CGImage(try .bgra(2, 2) { _, _ in .white }))
        let clear = [UInt8](repeating: 0, count: 4)
        let white = [UInt8](repeating: 255, count: 4)
        // The top right pixel, and one pixel around it to the right and above.
        let corner = bitmap(image, CGRect(x: 1, y: 1, width: 2, height: 2), rowBytes: 8, rows: 2)
        #expect(corner == clear + clear + white + clear)
        let beside = bitmap(image, CGRect(x: 5, y: 5, width: 2, height: 1), rowBytes: 8, rows: 1)
        #expect(beside == clear + clear)
        #expect(bitmap(.empty(), CGRect(x: 0, y: 0, width: 1, height: 1), rowBytes: 4, rows: 1) == clear)
    }

    @Test("Colors are multiplied by alpha") func transparency() throws {
        let picture = try PixelBuffer.bgra(256, 256) { x, y in
            TestColor(red: UInt8(x), green: 255, blue: 0, alpha: UInt8(y))
        }
        let image = CIImage(cgImage: CGImage(picture))
        let bytes = bitmap(image, image.extent, .RGBA8, rowBytes: 1024, rows: 256)
        for y in 0..<256 {
            for x in 0..<256 {
                let red = UInt8((Double(x * y) / 255).rounded())
                #expect(Array(bytes[(1024 * y + 4 * x)..<(1024 * y + 4 * x + 4)]) == [red, UInt8(y), 0, UInt8(y)])
            }
        }
    }

    @Test("Bounds of parts of pixels need no more memory than their size") func fractions() throws {
        let image = CIImage(cgImage: CGImage(try .bgra(4, 4) { _, _ in .white }))
        let bytes = bitmap(image, CGRect(x: 0.5, y: 0.5, width: 2.9, height: 2), rowBytes: 8, rows: 3)
        #expect(bytes == [UInt8](repeating: 255, count: 16) + [UInt8](repeating: 7, count: 8))
    }

    @Test("With another format, short rows, bad bounds or a damaged file, nothing is written") func misuse() throws {
        let image = CIImage(cgImage: CGImage(try .bgra(4, 4) { _, _ in .white }))
        let untouched = [UInt8](repeating: 7, count: 64)
        #expect(bitmap(image, image.extent, CIFormat(rawValue: 1), rowBytes: 16, rows: 4) == untouched)
        #expect(bitmap(image, CGRect(x: 0, y: 0, width: 5, height: 1), rowBytes: 16, rows: 4) == untouched)
        for bounds in [
            CGRect.zero, .null, .infinite, CGRect(x: 0, y: 0, width: 0.5, height: 4),
            CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
        ] {
            #expect(bitmap(image, bounds, rowBytes: 16, rows: 4) == untouched, "\(bounds)")
        }
        let file = try PNGEncoder().encode(.bgraNoise(64, 48))
        let damaged = try #require(CIImage(data: Data(file.prefix(file.count / 2))))
        #expect(bitmap(damaged, CGRect(x: 0, y: 0, width: 4, height: 4), rowBytes: 16, rows: 4) == untouched)
    }

    @Test("A single pixel can be read into an array") func singlePixel() throws {
        let image = CIImage(cgImage: CGImage(try .bgra(8, 8) { _, _ in TestColor(red: 10, green: 20, blue: 30) }))
        var pixel = [UInt8](repeating: 0, count: 4)
        context.render(
            image, toBitmap: &pixel, rowBytes: 4, bounds: CGRect(x: 3, y: 3, width: 1, height: 1), format: .RGBA8,
            colorSpace: nil)
        #expect(pixel == [10, 20, 30, 255])
    }
}
