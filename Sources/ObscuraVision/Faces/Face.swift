// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

public import ObscuraMedia

/// A face in a picture.
///
/// Left and right are those of the picture, as whoever looks at it sees them, not those of the person.
public struct Face: Sendable, Hashable {
    /// Where it is, in pixels of the picture that was searched.
    public var bounds: PixelRect
    /// The eye on the left side of the picture; nil where none was found, or none was looked for.
    public var leftEye: PixelRect?
    /// The eye on the right side of the picture; nil where none was found, or none was looked for.
    public var rightEye: PixelRect?
    /// The mouth; nil where none was found, or none was looked for.
    public var mouth: PixelRect?
    /// How sure the engine is, from 0 to 1. A cascade tells by how many windows agree on the face: n of them are
    /// n / (n + 5). YuNet says it itself.
    public var confidence: Double
    /// The same number as long as ``FaceTracker`` follows the face; nil in a still picture.
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
    /// Those at the top first, and of two at one height the left one.
    var fromTheTop: [Face] { sorted { ($0.bounds.y, $0.bounds.x) < ($1.bounds.y, $1.bounds.x) } }
}

#endif
