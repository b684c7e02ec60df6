// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A face in an image.
///
/// Left and right refer to the image, not to the person.
public struct Face: Sendable, Hashable {
    /// The bounds, in pixels of the searched image. Bounds that YuNet reports can extend beyond the image; see
    /// ``PixelRect/clipped(to:)``.
    public var bounds: PixelRect
    /// The eye on the left side of the image; nil if none was detected.
    public var leftEye: PixelRect?
    /// The eye on the right side of the image; nil if none was detected.
    public var rightEye: PixelRect?
    /// The mouth; nil if none was detected.
    public var mouth: PixelRect?
    /// The confidence, from 0 to 1. For a cascade: n / (n + 5), where n is the number of times that the face was found,
    /// at nearly the same place. For YuNet: the score of the network.
    public var confidence: Double
    /// The number of the face, which stays the same while ``FaceTracker`` tracks the face; nil without tracking. A face
    /// that was lost and is detected again gets a new number.
    public var id: Int?

    /// Creates a face, without validation.
    public init(
        bounds: PixelRect, leftEye: PixelRect? = nil, rightEye: PixelRect? = nil, mouth: PixelRect? = nil,
        confidence: Double, id: Int? = nil
    ) {
        self.bounds = bounds
        self.leftEye = leftEye
        self.rightEye = rightEye
        self.mouth = mouth
        self.confidence = confidence
        self.id = id
    }
}

extension [Face] {
    /// The faces, sorted from top to bottom, then from left to right.
    var sortedFromTop: [Face] { sorted { ($0.bounds.y, $0.bounds.x) < ($1.bounds.y, $1.bounds.x) } }
}
