// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The place of an object in an image.
public class VNDetectedObjectObservation: VNObservation, @unchecked Sendable {  // As its superclass.
    /// The bounds, as fractions of the upright image or, if the request has one, of its region of interest, from the
    /// lower left corner.
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
