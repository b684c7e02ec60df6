// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import Obscura
import TestSupport
import Testing
import UIKit

@testable import AppleListings

@Suite("CIDetector", .hangLimit) struct DetectorTests {
    private let context = CIContext()

    private func detector(_ options: [String: Any]? = nil) throws -> CIDetector {
        try #require(CIDetector(ofType: CIDetectorTypeFace, context: context, options: options))
    }

    private func faces(_ detector: CIDetector, _ image: CIImage) throws -> [CIFaceFeature] {
        try detector.features(in: image).map { try #require($0 as? CIFaceFeature) }
    }

    @Test("There are detectors of faces only") func types() {
        #expect(CIDetector(ofType: CIDetectorTypeFace, context: nil) != nil)
        for type in ["CIDetectorTypeRectangle", "CIDetectorTypeQRCode", "CIDetectorTypeText", ""] {
            #expect(CIDetector(ofType: type, context: context, options: nil) == nil)
        }
    }

    @Test("The face of the engine has its bounds, eyes and mouth in the coordinates of the image", .needsFaces)
    func coordinates() throws {
        let photo = try FacePhoto()
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        // 0.15 of the shorter side.
        settings.smallestFace = PixelSize(width: 45, height: 45)
        let expected = try #require(try FaceDetector(settings: settings).faces(in: photo.picture).first)
        func center(_ rect: PixelRect?) throws -> CGPoint {
            let rect = try #require(rect)
            return CGPoint(
                x: Double(rect.x) + Double(rect.width) / 2, y: 300 - Double(rect.y) - Double(rect.height) / 2)
        }
        let image = CIImage(cgImage: CGImage(photo.picture))
        for (dx, dy) in [(0, 0), (30, -70)] {
            let offset = CGAffineTransform(translationX: CGFloat(dx), y: CGFloat(dy))
            let found = try faces(detector(), image.transformed(by: offset))
            let face = try #require(found.first)
            #expect(found.count == 1)
            #expect(face.type == CIFeatureTypeFace)
            #expect(face.bounds == photo.bounds.applying(offset))
            #expect(face.hasLeftEyePosition && face.hasRightEyePosition)
            #expect(face.leftEyePosition == (try center(expected.leftEye)).applying(offset))
            #expect(face.rightEyePosition == (try center(expected.rightEye)).applying(offset))
            #expect(face.leftEyePosition.x < face.rightEyePosition.x)
            #expect(face.hasMouthPosition == (expected.mouth != nil))
            if let mouth = expected.mouth { #expect(face.mouthPosition == (try center(mouth)).applying(offset)) }
            #expect(!face.hasTrackingID && face.trackingID == 0)
        }
    }

    @Test(
        "With an orientation, the coordinates are those of the stored image", .needsFaces,
        arguments: CGImagePropertyOrientation.allCases)
    func orientations(_ orientation: CGImagePropertyOrientation) throws {
        let photo = try FacePhoto()
        let stored = CIImage(cgImage: CGImage(try photo.stored(orientation)))
        let options: [String: Any] = [CIDetectorImageOrientation: NSNumber(value: orientation.rawValue)]
        let found = try detector().features(in: stored, options: options)
        let face = try #require(found.first as? CIFaceFeature)
        #expect(found.count == 1)
        let toUpright = stored.orientationTransform(for: orientation)
        #expect(face.bounds.applying(toUpright).isNear(photo.bounds, 1e-6))
        // Left is the left side of the upright image.
        let eyes = (face.leftEyePosition.applying(toUpright), face.rightEyePosition.applying(toUpright))
        #expect(face.hasLeftEyePosition && face.hasRightEyePosition && eyes.0.x < eyes.1.x)
        #expect(photo.bounds.contains(eyes.0) && photo.bounds.contains(eyes.1))
    }

    @Test("Each accuracy finds the face, and a larger minimum size does not", .needsFaces) func accuracy() throws {
        let photo = try FacePhoto()
        let image = CIImage(cgImage: CGImage(photo.picture))
        for accuracy in [CIDetectorAccuracyLow, CIDetectorAccuracyHigh] {
            let found = try faces(detector([CIDetectorAccuracy: accuracy]), image)
            #expect(try #require(found.first).bounds.isNear(photo.bounds, 15), "\(accuracy)")
        }
        // The face has a third of the height.
        #expect(try faces(detector([CIDetectorMinFeatureSize: 0.5]), image).isEmpty)
        #expect(try faces(detector([CIDetectorMinFeatureSize: NSNumber(value: 0.25)]), image).count == 1)
        for value in [0, -3, Double.nan] {
            #expect(try !faces(detector([CIDetectorMinFeatureSize: value]), image).isEmpty)
        }
    }

    @Test("With tracking, a face that moves keeps its number", .needsFaces) func tracking() throws {
        let photo = try FacePhoto()
        let detector = try detector([CIDetectorTracking: true])
        var ids: Set<Int32> = []
        for x in stride(from: 0, to: 60, by: 10) {
            let part = CGRect(x: x, y: 0, width: 300, height: 300)
            let image = CIImage(cgImage: try #require(CGImage(photo.picture).cropping(to: part)))
            let face = try #require(try faces(detector, image).first)
            #expect(face.hasTrackingID)
            #expect(face.bounds.isNear(photo.bounds.offsetBy(dx: CGFloat(-x), dy: 0), 12))
            ids.insert(face.trackingID)
        }
        #expect(ids.count == 1)
    }

    @Test("An image without pixels, a damaged file and a single pixel have no faces") func badImages() throws {
        let detector = try detector()
        #expect(detector.features(in: .empty()).isEmpty)
        let file = try PNGEncoder().encode(.bgraNoise(64, 48))
        let damaged = try #require(CIImage(data: Data(file.prefix(file.count / 2))))
        #expect(detector.features(in: damaged).isEmpty)
        let pixel = CIImage(cgImage: CGImage(try .bgra(1, 1) { _, _ in .red }))
        for orientation: Any in [0, 9, -1, 1.5, "left", UInt32(8)] {
            #expect(detector.features(in: pixel, options: [CIDetectorImageOrientation: orientation]).isEmpty)
        }
    }

    @Test("An app's function that returns eyes compiles in Swift 5 and finds them", .needsFaces) func listing() throws {
        let photo = try FacePhoto()
        let eyes = FaceFinder().eyes(in: UIImage(cgImage: CGImage(photo.picture)))
        #expect(eyes.count == 2)
        #expect(eyes.allSatisfy { photo.bounds.contains($0) })
    }

    @Test("Red pupils are corrected, and brown eyes are not", .needsFaces) func redEyes() throws {
        let photo = try FacePhoto()
        let image = CIImage(cgImage: CGImage(photo.picture))
        #expect(image.autoAdjustmentFilters(options: [.enhance: false]).isEmpty)
        let features = try faces(detector(), image)
        let face = try #require(features.first)
        // From the top left corner.
        let pupils = [face.leftEyePosition, face.rightEyePosition].map { (x: Int($0.x), y: 300 - Int($0.y)) }
        func isPupil(_ x: Int, _ y: Int) -> Bool {
            pupils.contains { ($0.x - x) * ($0.x - x) + ($0.y - y) * ($0.y - y) <= 9 }
        }
        let before = photo.picture.colors
        let red = try PixelBuffer.bgra(400, 300) { x, y in
            isPupil(x, y) ? TestColor(red: 200, green: 30, blue: 20) : before[y][x]
        }
        let redImage = CIImage(cgImage: CGImage(red))
        for options: [CIImageAutoAdjustmentOption: Any] in [
            [.enhance: false], [.enhance: NSNumber(value: false), .features: features],
        ] {
            let filters = redImage.autoAdjustmentFilters(options: options)
            #expect(filters.map(\.name) == ["CIRedEyeCorrection"])
            let after = try #require(filters.first?.outputImage).colors()
            var isCorrect = true
            for y in 0..<300 {
                for x in 0..<400 where before[y][x] != after[y][x] || isPupil(x, y) {
                    // Around a pupil, the brown iris may become gray as well.
                    let isNear = pupils.contains { abs($0.x - x) < 7 && abs($0.y - y) < 7 }
                    isCorrect = isCorrect && (isPupil(x, y) ? after[y][x].isNear(.gray(25), 5) : isNear)
                }
            }
            #expect(isCorrect)
        }
        #expect(redImage.autoAdjustmentFilters(options: [.enhance: false, .features: []]).isEmpty)
        #expect(redImage.autoAdjustmentFilters(options: [.enhance: false, .redEye: false]).isEmpty)
        #expect(redImage.autoAdjustmentFilters().first?.name == "CIRedEyeCorrection")
    }
}
