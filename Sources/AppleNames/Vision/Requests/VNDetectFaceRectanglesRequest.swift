// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A request that finds upright faces, with `FaceDetector` and OpenCV's cascade for frontal faces.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest {
    /// Creates a request.
    public override init(completionHandler: VNRequestCompletionHandler? = nil) {
        super.init(completionHandler: completionHandler)
    }

    /// The faces, the most reliable first; nil before the end of the request, and after a failure.
    public var results: [VNFaceObservation]? { observations as? [VNFaceObservation] }

    override func observe(_ image: CIImage) throws(VisionError) -> [VNObservation] {
        try FaceSearch.faces(in: image, NormalizedRect(normalizedRect: regionOfInterest)).map { face in
            VNFaceObservation(boundingBox: face.boundingBox.cgRect, confidence: face.confidence)
        }
    }
}
