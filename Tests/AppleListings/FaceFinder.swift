// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// swift-format-ignore-file
//
// Face rectangles over a camera preview, as iOS apps have it: Vision with a completion handler, and Core Image's
// detector for older systems.
import CoreImage
import UIKit
import Vision

final class FaceFinder {
    private(set) var faceRects: [CGRect] = []
    private(set) var lastError: Error?
    private var viewSize = CGSize.zero
    private lazy var faceRequest: VNDetectFaceRectanglesRequest = {
        let request = VNDetectFaceRectanglesRequest(completionHandler: self.handleFaces)
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
        return request
    }()
    private let detector = CIDetector(
        ofType: CIDetectorTypeFace, context: nil,
        options: [CIDetectorAccuracy: CIDetectorAccuracyHigh, CIDetectorTracking: true])

    func captureOutput(_ sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation, viewSize: CGSize) {
        guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        self.viewSize = viewSize
        let handler = VNImageRequestHandler(cvPixelBuffer: pixelBuffer, orientation: orientation, options: [:])
        do {
            try handler.perform([faceRequest])
        } catch let error as NSError {
            lastError = error
        }
    }

    private func handleFaces(request: VNRequest, error: Error?) {
        guard let observations = request.results as? [VNFaceObservation] else { return }
        faceRects = observations.map { observation in
            let box = observation.boundingBox
            let flipped = CGRect(x: box.minX, y: 1 - box.maxY, width: box.width, height: box.height)
            return VNImageRectForNormalizedRect(flipped, Int(viewSize.width), Int(viewSize.height))
        }
    }

    func eyes(in image: UIImage) -> [CGPoint] {
        guard let ciImage = CIImage(image: image) else { return [] }
        let options = [CIDetectorImageOrientation: NSNumber(value: 1)]
        var points: [CGPoint] = []
        for case let face as CIFaceFeature in detector?.features(in: ciImage, options: options) ?? [] {
            if face.hasLeftEyePosition { points.append(face.leftEyePosition) }
            if face.hasRightEyePosition { points.append(face.rightEyePosition) }
        }
        return points
    }
}
