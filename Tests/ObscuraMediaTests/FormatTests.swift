// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import Testing

@Suite struct FormatTests {
    @Test(
        arguments: [
            (.bgra, 5, 3, [(20, 3)]), (.rgba, 1, 1, [(4, 1)]), (.gray8, 7, 5, [(7, 5)]),
            (.argb, 5, 3, [(20, 3)]), (.abgr, 1, 1, [(4, 1)]), (.bgrx, 7, 5, [(28, 5)]), (.rgbx, 5, 3, [(20, 3)]),
            (.xrgb, 5, 3, [(20, 3)]), (.xbgr, 5, 3, [(20, 3)]),
            (.nv12, 5, 3, [(5, 3), (6, 2)]), (.nv12, 4, 2, [(4, 2), (4, 1)]),
            (.i420, 5, 3, [(5, 3), (3, 2), (3, 2)]), (.i420, 1, 1, [(1, 1), (1, 1), (1, 1)]),
            (.i422, 5, 3, [(5, 3), (3, 3), (3, 3)]), (.i444, 5, 3, [(5, 3), (5, 3), (5, 3)]),
            (.yuyv, 5, 3, [(12, 3)]), (.uyvy, 6, 3, [(12, 3)]), (.yvyu, 1, 3, [(4, 3)]), (.vyuy, 5, 3, [(12, 3)]),
            (.bgr24, 5, 3, [(15, 3)]), (.rgb24, 1, 1, [(3, 1)]), (.nv21, 5, 3, [(5, 3), (6, 2)]),
            (.nv16, 5, 3, [(5, 3), (6, 3)]),
            (.i010, 5, 3, [(10, 3), (6, 2), (6, 2)]), (.i210, 5, 3, [(10, 3), (6, 3), (6, 3)]),
            (.i410, 5, 3, [(10, 3), (10, 3), (10, 3)]), (.mjpeg, 5, 3, []), (.h264, 5, 3, []),
        ] as [(PixelFormat, Int, Int, [(Int, Int)])])
    func `Planes of odd sizes round chroma up`(
        format: PixelFormat, width: Int, height: Int, expected: [(Int, Int)]
    ) {
        let planes = format.planes(width: width, height: height)
        #expect(planes.map(\.rowBytes) == expected.map(\.0))
        #expect(planes.map(\.rows) == expected.map(\.1))
        #expect(format.isCompressed == expected.isEmpty)
    }

    @Test func `A format of sound is held to what there is`() {
        func format(_ rate: Int, _ channels: Int) -> [Int] {
            let format = AudioFormat(sampleRate: rate, channelCount: channels)
            return [format.sampleRate, format.channelCount]
        }
        #expect(format(48_000, 2) == [48_000, 2])
        #expect(format(0, 0) == [1, 1] && format(.min, .min) == [1, 1])
        #expect(format(768_001, 65) == [768_000, 64] && format(.max, .max) == [768_000, 64])
        let bytes = AudioFormat.SampleType.allCases.map { AudioFormat(sampleType: $0, channelCount: 3).bytesPerFrame }
        #expect(bytes == [6, 12, 12])
        #expect(AudioFormat(sampleRate: 44_100).duration(ofFrames: 441) == MediaTime(value: 1, timescale: 100))
    }

    @Test func `Only a color space that was taken for none is assumed`() {
        #expect(ColorSpace.assumed.isAssumed && !ColorSpace(matrix: .bt709, range: .full).isAssumed)
        #expect(!ColorSpace.bt601.isAssumed && !ColorSpace.jpeg.isAssumed && !ColorSpace.sRGB.isAssumed)
    }

    @Test(arguments: PixelFormat.allCases.filter { !$0.isCompressed })
    func `A picture has the planes of its format, aligned, large enough and zero`(format: PixelFormat) throws {
        for (width, height) in [(1, 1), (2, 2), (17, 9), (64, 1), (1, 64), (65, 3)] {
            let picture = try PixelBuffer(format: format, width: width, height: height)
            #expect(picture.planeCount == picture.planes.count)
            for (index, plane) in picture.planes.enumerated() {
                let bytesPerRow = picture.bytesPerRow(ofPlane: index)
                #expect(bytesPerRow >= plane.rowBytes)
                #expect(bytesPerRow % 64 == 0)
                picture.withBytes(ofPlane: index) { bytes in
                    #expect(bytes.byteCount == bytesPerRow * plane.rows)
                    let isZero = (0..<bytes.byteCount).allSatisfy {
                        bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0
                    }
                    #expect(isZero)
                }
            }
        }
    }

    @Test(
        arguments: [
            (.bgra, 0, 1), (.bgra, 1, 0), (.bgra, -1, 1), (.i420, 32769, 1), (.i420, .max, .max), (.nv12, .min, 2),
            (.mjpeg, 4, 4), (.h264, 4, 4),
        ] as [(PixelFormat, Int, Int)])
    func `A picture that cannot be is refused, by name`(format: PixelFormat, width: Int, height: Int) {
        let error = #expect(throws: ObscuraError.self) {
            try PixelBuffer(format: format, width: width, height: height)
        }
        #expect(error?.code == .invalidSize)
        #expect(error?.description.contains(format.rawValue) == true)
        #expect(throws: ObscuraError.self) {
            try PixelBufferPool(capacity: 1).makeBuffer(format: format, width: width, height: height)
        }
    }

    @Test func `A frame rate from outside is a rate, whatever it says`() throws {
        let decoder = JSONDecoder()
        let broken = try decoder.decode(FrameRate.self, from: Data(#"{"frames":0,"seconds":0}"#.utf8))
        #expect(broken == FrameRate(1))
        #expect(broken.description == "1")
        let negative = try decoder.decode(FrameRate.self, from: Data(#"{"frames":30,"seconds":-1}"#.utf8))
        #expect(negative.frameDuration == MediaTime(value: 1, timescale: 30))
        let rate = FrameRate(30000, per: 1001)
        #expect(try decoder.decode(FrameRate.self, from: JSONEncoder().encode(rate)) == rate)
        #expect(rate.description == "29.97")
        #expect(FrameRate(.max).description == "\(Int32.max)")
    }

    @Test(
        "A rectangle is clipped to the image; without a pixel inside, nothing is left",
        arguments: [
            (PixelRect(x: 2, y: 3, width: 4, height: 5), PixelRect(x: 2, y: 3, width: 4, height: 5)),
            (PixelRect(x: -2, y: -3, width: 4, height: 5), PixelRect(x: 0, y: 0, width: 2, height: 2)),
            (PixelRect(x: 8, y: 7, width: 4, height: 5), PixelRect(x: 8, y: 7, width: 2, height: 1)),
            (PixelRect(x: -1, y: -1, width: .max, height: .max), PixelRect(x: 0, y: 0, width: 10, height: 8)),
            (PixelRect(x: 1, y: 1, width: .max, height: .max), PixelRect(x: 1, y: 1, width: 9, height: 7)),
            (PixelRect(x: 10, y: 0, width: 4, height: 5), nil), (PixelRect(x: -4, y: 0, width: 4, height: 5), nil),
            (PixelRect(x: 0, y: 8, width: 4, height: 5), nil), (PixelRect(x: 2, y: 2, width: 0, height: 5), nil),
            (PixelRect(x: 2, y: 2, width: 5, height: -1), nil), (PixelRect(x: .min, y: 2, width: -1, height: 5), nil),
        ])
    func clipping(rect: PixelRect, clipped: PixelRect?) {
        #expect(rect.clipped(to: PixelSize(width: 10, height: 8)) == clipped)
    }
}
