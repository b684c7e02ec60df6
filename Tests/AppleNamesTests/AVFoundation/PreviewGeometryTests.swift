// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing

@testable import AVFoundation

/// The mapping between points of a layer and of a picture.
@Suite("Points of a preview layer") struct PreviewGeometryTests {
    /// A layer of 200x100 with a picture of 400x400, so that each gravity has another place.
    private func geometry(
        _ gravity: AVLayerVideoGravity, _ turn: Orientation = .up, isMirrored: Bool = false,
        picture: CGSize? = CGSize(width: 400, height: 400)
    ) -> PreviewGeometry {
        PreviewGeometry(
            layer: CGSize(width: 200, height: 100), picture: picture, gravity: gravity, turn: turn,
            isMirrored: isMirrored)
    }

    @Test("The whole picture is in the middle, fills the layer, or is stretched to it") func gravities() {
        let corner = CGPoint(x: 0, y: 0)
        #expect(geometry(.resizeAspect).layerPoint(corner) == CGPoint(x: 50, y: 0))
        #expect(geometry(.resizeAspectFill).layerPoint(corner) == CGPoint(x: 0, y: -50))
        #expect(geometry(.resize).layerPoint(corner) == CGPoint(x: 0, y: 0))
        let end = CGPoint(x: 1, y: 1)
        #expect(geometry(.resizeAspect).layerPoint(end) == CGPoint(x: 150, y: 100))
        #expect(geometry(.resizeAspectFill).layerPoint(end) == CGPoint(x: 200, y: 150))
        #expect(geometry(.resize).layerPoint(end) == CGPoint(x: 200, y: 100))
    }

    @Test("A rotated picture of another aspect ratio covers the layer as it is shown") func rotated() {
        // 100x200, which is shown as 200x100.
        let geometry = geometry(.resizeAspect, .right, picture: CGSize(width: 100, height: 200))
        #expect(geometry.layerPoint(CGPoint(x: 0, y: 0)) == CGPoint(x: 200, y: 0))
        #expect(geometry.layerPoint(CGPoint(x: 1, y: 0)) == CGPoint(x: 200, y: 100))
        #expect(geometry.layerPoint(CGPoint(x: 0, y: 1)) == CGPoint(x: 0, y: 0))
    }

    @Test(
        "The top left quarter of the picture is where a rotation and mirroring bring it",
        arguments: [
            (Orientation.up, false, CGPoint(x: 0.25, y: 0.25)), (.right, false, CGPoint(x: 0.75, y: 0.25)),
            (.down, false, CGPoint(x: 0.75, y: 0.75)), (.left, false, CGPoint(x: 0.25, y: 0.75)),
            (.up, true, CGPoint(x: 0.75, y: 0.25)), (.right, true, CGPoint(x: 0.25, y: 0.25)),
            (.down, true, CGPoint(x: 0.25, y: 0.75)), (.left, true, CGPoint(x: 0.75, y: 0.75)),
        ])
    func turns(_ turn: Orientation, _ isMirrored: Bool, _ place: CGPoint) {
        let geometry = PreviewGeometry(
            layer: CGSize(width: 1, height: 1), picture: nil, gravity: .resize, turn: turn, isMirrored: isMirrored)
        #expect(geometry.layerPoint(CGPoint(x: 0.25, y: 0.25)) == place)
    }

    @Test("A point and a rectangle that are converted and converted back are the same") func roundTrip() {
        for turn in Orientation.allCases {
            for gravity in [AVLayerVideoGravity.resize, .resizeAspect, .resizeAspectFill] {
                for isMirrored in [false, true] {
                    let geometry = geometry(
                        gravity, turn, isMirrored: isMirrored, picture: CGSize(width: 640, height: 480))
                    let point = CGPoint(x: 30, y: 70)
                    let back = geometry.layerPoint(geometry.picturePoint(point))
                    #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9)
                    let rect = CGRect(x: 10, y: 20, width: 30, height: 40)
                    let same = geometry.layerRect(geometry.pictureRect(rect))
                    #expect(abs(same.minX - 10) < 1e-9 && abs(same.maxY - 60) < 1e-9)
                    #expect(abs(same.width - 30) < 1e-9 && abs(same.height - 40) < 1e-9)
                }
            }
        }
    }

    @Test("A layer without an area has no points of the picture") func empty() {
        let geometry = PreviewGeometry(
            layer: .zero, picture: CGSize(width: 4, height: 3), gravity: .resizeAspect, turn: .up, isMirrored: false)
        #expect(geometry.picturePoint(CGPoint(x: 5, y: 5)) == .zero)
    }
}
