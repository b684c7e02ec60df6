// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A face in an image.
///
/// Left and right are the sides of the upright image, not of the person. Coordinates are measured from the bottom left
/// corner of the image.
public final class CIFaceFeature: CIFeature, @unchecked Sendable {  // Its properties are constant and `Sendable`.
    let leftEye: CGRect?
    let rightEye: CGRect?
    private let mouth: CGRect?
    private let id: Int32?

    package init(
        bounds: CGRect, leftEye: CGRect? = nil, rightEye: CGRect? = nil, mouth: CGRect? = nil, trackingID: Int32? = nil
    ) {
        (self.leftEye, self.rightEye, self.mouth) = (leftEye, rightEye, mouth)
        id = trackingID
        super.init(type: CIFeatureTypeFace, bounds: bounds)
    }

    /// Whether the eye on the left side was found.
    public var hasLeftEyePosition: Bool { leftEye != nil }
    /// The center of the eye on the left side; zero if it was not found.
    public var leftEyePosition: CGPoint { Self.center(of: leftEye) }
    /// Whether the eye on the right side was found.
    public var hasRightEyePosition: Bool { rightEye != nil }
    /// The center of the eye on the right side; zero if it was not found.
    public var rightEyePosition: CGPoint { Self.center(of: rightEye) }
    /// Whether the mouth was found.
    public var hasMouthPosition: Bool { mouth != nil }
    /// The center of the mouth; zero if it was not found.
    public var mouthPosition: CGPoint { Self.center(of: mouth) }
    /// Whether the detector tracks faces; see ``CIDetectorTracking``.
    public var hasTrackingID: Bool { id != nil }
    /// The number of the face, the same in all frames of a video; 0 without tracking. A face that was lost and is found
    /// again gets a new number.
    public var trackingID: Int32 { id ?? 0 }

    private static func center(of rect: CGRect?) -> CGPoint {
        rect.map { CGPoint(x: $0.midX, y: $0.midY) } ?? .zero
    }
}
