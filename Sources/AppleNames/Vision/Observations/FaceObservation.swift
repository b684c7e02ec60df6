// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A face in an image.
public struct FaceObservation: Sendable, Hashable, Codable {
    /// The identifier of the observation. Each search assigns new identifiers, even to the same face.
    public let uuid: UUID
    /// The confidence, from 0 to 1.
    public let confidence: Float
    /// The bounds, as fractions of the request's region of interest, which is the whole upright image by default.
    public var boundingBox: NormalizedRect

    /// Creates an observation with a confidence of 1.
    public init(boundingBox: NormalizedRect) {
        self.init(boundingBox: boundingBox, confidence: 1)
    }

    init(boundingBox: NormalizedRect, confidence: Float) {
        uuid = UUID()
        self.confidence = confidence
        self.boundingBox = boundingBox
    }
}
