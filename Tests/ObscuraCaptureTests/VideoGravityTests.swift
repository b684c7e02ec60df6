// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct VideoGravityTests {
    private static let sides = [1, 2, 3, 5, 16, 99, 160, 1080]
    private static let sizes = sides.flatMap { width in sides.map { PixelSize(width: width, height: $0) } }

    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    @Test func `A picker's shapes are cut out of the middle of a camera's picture`() {
        let camera = PixelSize(width: 1280, height: 720)
        func cut(_ width: Int, _ height: Int) -> PixelRect {
            VideoGravity.resizeAspectFill.sourceRect(of: camera, for: PixelSize(width: width, height: height))
        }
        #expect(cut(160, 160) == rect(280, 0, 720, 720))
        #expect(cut(400, 300) == rect(160, 0, 960, 720))
        #expect(cut(300, 400) == rect(370, 0, 540, 720))
        #expect(cut(1920, 1080) == rect(0, 0, 1280, 720))
        #expect(cut(210, 90) == rect(0, 85, 1280, 549))
        #expect(cut(1, 10_000) == rect(639, 0, 1, 720))
    }

    @Test func `The whole picture lies in the middle of a view of another shape`() {
        let camera = PixelSize(width: 1280, height: 720)
        func place(_ width: Int, _ height: Int) -> PixelRect {
            VideoGravity.resizeAspect.targetRect(of: camera, in: PixelSize(width: width, height: height))
        }
        #expect(place(160, 160) == rect(0, 35, 160, 90))
        #expect(place(400, 90) == rect(120, 0, 160, 90))
        #expect(place(640, 360) == rect(0, 0, 640, 360))
        #expect(place(1, 1) == rect(0, 0, 1, 1))
    }

    @Test(arguments: VideoGravity.allCases) func `Both rectangles lie within, and keep the shape that they should`(
        gravity: VideoGravity
    ) {
        for picture in Self.sizes {
            for view in Self.sizes {
                let (source, target) = (
                    gravity.sourceRect(of: picture, for: view), gravity.targetRect(of: picture, in: view)
                )
                for (part, whole) in [(source, picture), (target, view)] {
                    #expect(part.width >= 1 && part.height >= 1 && part.x >= 0 && part.y >= 0)
                    #expect(part.x + part.width <= whole.width && part.y + part.height <= whole.height)
                    // In the middle, to within a pixel.
                    #expect((0...1).contains(whole.width - part.width - 2 * part.x))
                    #expect((0...1).contains(whole.height - part.height - 2 * part.y))
                    #expect(gravity == .resize ? (part.width, part.height) == (whole.width, whole.height) : true)
                }
                guard gravity != .resize else { continue }
                // One pixel is scaled alike in both directions, to within what rounding one side makes.
                let (across, down) = (source.width * target.height, source.height * target.width)
                #expect(abs(across - down) <= max(source.width, source.height, target.width, target.height))
            }
        }
    }

    @Test func `What a view gets is what the rectangle says`() throws {
        // Each pixel's value is its column or its row.
        var picture = try PixelBuffer(format: .gray8, width: 160, height: 90)
        let (width, height, rowBytes) = (picture.width, picture.height, picture.bytesPerRow(ofPlane: 0))
        for isAcross in [true, false] {
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for y in 0..<height {
                    for x in 0..<width {
                        bytes.storeBytes(of: UInt8(isAcross ? x : y), toByteOffset: y * rowBytes + x, as: UInt8.self)
                    }
                }
            }
            for view in [(90, 90), (30, 90), (160, 20), (160, 90)].map(PixelSize.init(width:height:)) {
                // A view of exactly the size of the part: no pixel is mixed.
                let part = VideoGravity.resizeAspectFill.sourceRect(of: picture.size, for: view)
                var request = ImageRequest(size: PixelSize(width: part.width, height: part.height))
                request.fit = VideoGravity.resizeAspectFill.fit
                let shown = try ImageTransformer.transform(picture, request)
                let corner = shown.withBytes(ofPlane: 0) { $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
                #expect(Int(corner) == (isAcross ? part.x : part.y))
                #expect(shown.size == PixelSize(width: part.width, height: part.height))
            }
        }
    }

    @Test(arguments: VideoGravity.allCases) func `Sizes without pixels do no harm`(gravity: VideoGravity) {
        let none = PixelSize(width: 0, height: 0)
        let some = PixelSize(width: 4, height: 3)
        #expect(gravity.sourceRect(of: some, for: none) == rect(0, 0, 4, 3))
        #expect(gravity.targetRect(of: none, in: some) == rect(0, 0, 4, 3))
    }
}
