// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraStudio

@Suite struct PictureRequestTests {
    private let camera = PixelSize(width: 1280, height: 720)

    private func settled(
        _ width: Int, _ height: Int, _ gravity: VideoGravity = .resizeAspect, of picture: PixelSize?
    ) -> String {
        "\(PictureRequest(box: PixelSize(width: width, height: height), gravity: gravity).settled(for: picture).box)"
    }

    @Test func `Boxes in which the picture has the same size share a stream`() {
        for (width, height) in [(640, 360), (640, 480), (640, 2000), (3000, 360)] {
            #expect(settled(width, height, of: camera) == "640x360")
        }
        #expect(settled(160, 160, .resizeAspectFill, of: camera) == "160x160")
        #expect(settled(160, 160, .resize, of: camera) == "160x160")
    }

    @Test func `Nothing is enlarged`() {
        #expect(settled(1920, 1088, of: camera) == "1280x720")
        #expect(settled(3840, 2160, .resize, of: camera) == "1280x720")
        #expect(settled(2000, 2000, .resizeAspectFill, of: camera) == "720x720")
        #expect(settled(720, 1280, of: camera) == "720x405")
        // One side larger than the picture's and the other smaller: the shape is what was asked for.
        #expect(settled(2000, 100, .resize, of: camera) == "2000x100")
    }

    @Test func `Any size is brought to what makes sense`() {
        for side in [Int.min, -1, 0, 1, 16, 3840, 3841, Int.max] {
            for gravity in VideoGravity.allCases {
                for picture in [nil, camera, PixelSize(width: 1, height: 1), PixelSize(width: 0, height: 0)] {
                    let box = PictureRequest(box: PixelSize(width: side, height: side), gravity: gravity)
                        .settled(for: picture).box
                    #expect((1...3840).contains(box.width) && (1...3840).contains(box.height))
                }
            }
        }
    }
}
