// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The location of an object in an image.
public class VNDetectedObjectObservation: VNObservation, @unchecked Sendable {  // As its superclass.
    /// The bounds, measured from the lower left corner, as fractions of the request's region of interest, which is the
    /// whole upright image by default.
    public let boundingBox: CGRect

    /// Creates an observation with a confidence of 1.
    public convenience init(boundingBox: CGRect) {
        self.init(boundingBox: boundingBox, confidence: 1)
    }

    init(boundingBox: CGRect, confidence: VNConfidence) {
        self.boundingBox = boundingBox
        super.init(confidence: confidence)
    }
}
