// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A face in a picture.
///
/// Left and right are those of the picture, not of the person.
public struct Face: Sendable, Hashable {
    /// The bounds, in pixels of the searched picture.
    public var bounds: PixelRect
    /// The eye on the left side of the picture; nil if none was detected.
    public var leftEye: PixelRect?
    /// The eye on the right side of the picture; nil if none was detected.
    public var rightEye: PixelRect?
    /// The mouth; nil if none was detected.
    public var mouth: PixelRect?
    /// The confidence from 0 to 1. For a cascade n / (n + 5), where n is the number of overlapping windows; for YuNet, its
    /// score.
    public var confidence: Double
    /// The identity while ``FaceTracker`` follows the face; nil without tracking.
    public var id: Int?

    /// A face; no check is made.
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
    /// Sorted from top to bottom, then from left to right.
    var sortedFromTop: [Face] { sorted { ($0.bounds.y, $0.bounds.x) < ($1.bounds.y, $1.bounds.x) } }
}
