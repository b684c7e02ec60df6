// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("How the kernel lays out pictures")
struct V4L2LayoutTests {
    private func shape(_ name: StaticString, _ width: Int, _ height: Int, _ strides: [Int]) throws -> FrameShape {
        let layout = try #require(V4L2Layout.of(FourCC(name)))
        return layout.shape(size: PixelSize(width: width, height: height), strides: strides)
    }

    @Test("Four letters are four letters, whatever a driver writes there")
    func letters() {
        #expect(FourCC("YUYV").description == "YUYV")
        #expect(FourCC("YUYV").rawValue == 0x5659_5559)
        #expect(FourCC("Y8").description == "Y8  ")
        #expect(FourCC(rawValue: 0x0141_0041).description == "A.A.")
    }

    @Test(
        "The letters of packed RGB are the order of its bytes in memory, by the kernel's documentation",
        arguments: [
            ("AR24", PixelFormat.bgra), ("AB24", .rgba), ("BA24", .argb), ("RA24", .abgr), ("XR24", .bgrx),
            ("XB24", .rgbx), ("BX24", .xrgb), ("RX24", .xbgr), ("BGR4", .bgrx), ("RGB4", .xrgb), ("BGR3", .bgr24),
            ("RGB3", .rgb24),
        ])
    func packedRGB(letters: String, format: PixelFormat) {
        let code = letters.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(V4L2Layout.of(FourCC(rawValue: code))?.pixelFormat == format)
    }

    @Test("Every layout has the planes of its pixel format, within its memory")
    func allLayouts() throws {
        for layout in V4L2Layout.known {
            let size = PixelSize(width: 322, height: 181)
            let shape = layout.shape(size: size, strides: [])
            let planes = layout.pixelFormat.planes(width: size.width, height: size.height)
            #expect(shape.planes.count == planes.count)
            for (plane, expected) in zip(shape.planes, planes) {
                #expect(plane.bytesPerRow >= expected.rowBytes)
                #expect(plane.byteCount == (expected.rows - 1) * plane.bytesPerRow + expected.rowBytes)
                #expect(plane.offset + plane.byteCount <= shape.byteCounts[plane.part])
            }
        }
    }

    @Test("A driver's padding is kept, and chroma has its part of it")
    func strides() throws {
        let nv12 = try shape("NV12", 320, 180, [384])
        #expect(nv12.planes.map(\.bytesPerRow) == [384, 384])
        #expect(nv12.planes.map(\.offset) == [0, 384 * 180])
        let i420 = try shape("YU12", 320, 180, [384])
        #expect(i420.planes.map(\.bytesPerRow) == [384, 192, 192])
        #expect(i420.planes.map(\.offset) == [0, 384 * 180, 384 * 180 + 192 * 90])
        #expect(i420.byteCounts == [384 * 180 + 192 * 180 - 32])
    }

    @Test("Cr before Cb is Cb before Cr for everybody else")
    func swapped() throws {
        let (plain, swapped) = (try shape("YU12", 64, 32, [64]), try shape("YV12", 64, 32, [64]))
        #expect(swapped.planes == [plain.planes[0], plain.planes[2], plain.planes[1]])
    }

    @Test("Planes with memory of their own begin at its beginning")
    func separate() throws {
        let shape = try shape("YM12", 320, 180, [320, 192, 192])
        #expect(shape.planes.map(\.part) == [0, 1, 2])
        #expect(shape.planes.map(\.offset) == [0, 0, 0])
        #expect(shape.planes.map(\.bytesPerRow) == [320, 192, 192])
    }

    @Test("A stride that is too short for a row is none")
    func liar() throws {
        #expect(try shape("YUYV", 320, 180, [1]).planes.map(\.bytesPerRow) == [640])
    }

    @Test("Compressed pictures have no planes")
    func compressed() throws {
        #expect(try shape("MJPG", 320, 180, [0]) == shape("H264", 320, 180, []))
    }
}
