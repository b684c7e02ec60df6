// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing
import Vision

@Suite("Coordinates of Vision") struct CoordinateTests {
    private let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    private let region = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5)

    @Test("Fractions become pixels, with the origin at the same corner") func toPixels() {
        #expect(VNImageRectForNormalizedRect(rect, 400, 200) == CGRect(x: 100, y: 100, width: 200, height: 50))
        #expect(VNImagePointForNormalizedPoint(CGPoint(x: 0.25, y: 0.75), 400, 200) == CGPoint(x: 100, y: 150))
        // A quarter of the right lower quarter.
        #expect(
            VNImageRectForNormalizedRectUsingRegionOfInterest(rect, 400, 200, region)
                == CGRect(x: 250, y: 50, width: 100, height: 25))
        #expect(
            VNImagePointForNormalizedPointUsingRegionOfInterest(CGPoint(x: 1, y: 1), 400, 200, region)
                == CGPoint(x: 400, y: 100))
    }

    @Test("Pixels become fractions") func toFractions() {
        #expect(VNNormalizedRectForImageRect(CGRect(x: 100, y: 100, width: 200, height: 50), 400, 200) == rect)
        #expect(VNNormalizedPointForImagePoint(CGPoint(x: 100, y: 150), 400, 200) == CGPoint(x: 0.25, y: 0.75))
        #expect(
            VNNormalizedRectForImageRectUsingRegionOfInterest(
                CGRect(x: 250, y: 50, width: 100, height: 25), 400, 200, region) == rect)
        #expect(
            VNNormalizedPointForImagePointUsingRegionOfInterest(CGPoint(x: 400, y: 100), 400, 200, region)
                == CGPoint(x: 1, y: 1))
    }

    @Test("The whole image is the identity") func identity() {
        #expect(VNNormalizedRectIsIdentityRect(VNNormalizedIdentityRect))
        #expect(!VNNormalizedRectIsIdentityRect(rect))
        #expect(NormalizedRect.fullImage.cgRect == VNNormalizedIdentityRect)
    }

    @Test("NormalizedRect has pixels from each corner") func normalizedRects() {
        let size = CGSize(width: 400, height: 200)
        let part = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        #expect(part == NormalizedRect(normalizedRect: rect))
        #expect(part.toImageCoordinates(size) == CGRect(x: 100, y: 100, width: 200, height: 50))
        #expect(part.toImageCoordinates(size, origin: .upperLeft) == CGRect(x: 100, y: 50, width: 200, height: 50))
        #expect(NormalizedRect(imageRect: CGRect(x: 100, y: 100, width: 200, height: 50), in: size) == part)
        #expect(part.verticallyFlipped() == NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.25))
        #expect(part.origin == CGPoint(x: 0.25, y: 0.5) && part.width == 0.5 && part.height == 0.25)
        let region = NormalizedRect(normalizedRect: region)
        #expect(
            part.toImageCoordinates(from: region, imageSize: size, origin: .upperLeft)
                == CGRect(x: 250, y: 125, width: 100, height: 25))
        #expect(
            NormalizedRect(
                imageRect: CGRect(x: 250, y: 50, width: 100, height: 25), in: size, normalizedTo: region) == part)
    }

    @Test("NormalizedPoint has pixels from each corner") func normalizedPoints() {
        let size = CGSize(width: 400, height: 200)
        let point = NormalizedPoint(x: 0.25, y: 0.75)
        #expect(point == NormalizedPoint(normalizedPoint: CGPoint(x: 0.25, y: 0.75)))
        #expect(point.toImageCoordinates(size) == CGPoint(x: 100, y: 150))
        #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 100, y: 50))
        #expect(NormalizedPoint(imagePoint: CGPoint(x: 100, y: 150), in: size) == point)
        #expect(point.verticallyFlipped() == NormalizedPoint(x: 0.25, y: 0.25))
        #expect(NormalizedPoint.zero.cgPoint == .zero)
        let region = NormalizedRect(normalizedRect: region)
        #expect(point.toImageCoordinates(from: region, imageSize: size) == CGPoint(x: 250, y: 75))
        #expect(
            NormalizedPoint(imagePoint: CGPoint(x: 250, y: 75), in: size, normalizedTo: region) == point)
    }

    @Test("Observations of an app have its bounds and are certain") func observations() throws {
        #expect(VNFaceObservation(boundingBox: rect).boundingBox == rect)
        #expect(VNFaceObservation(boundingBox: rect).confidence == 1)
        #expect(VNDetectedObjectObservation(boundingBox: rect).uuid != VNFaceObservation(boundingBox: rect).uuid)
        let face = FaceObservation(boundingBox: NormalizedRect(normalizedRect: rect))
        #expect(face.confidence == 1 && face.boundingBox.cgRect == rect)
        let copy = try JSONDecoder().decode(FaceObservation.self, from: JSONEncoder().encode(face))
        #expect(copy == face)
    }

    @Test("The codes of errors are Apple's") func errorCodes() {
        #expect(VNErrorDomain == "com.apple.vis")
        #expect(VNErrorCode(rawValue: 13) == .invalidImage)
        #expect(VNErrorCode.unsupportedRequest.rawValue == 19)
    }
}
