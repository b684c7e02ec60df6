// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// A detector of eyes and mouth in a face, with cascades of OpenCV's data.
final class FaceFeatures: Sendable {
    private struct Classifiers {
        let eye, mouth: CascadeClassifier
    }

    /// The width to which a face is scaled: sufficient for eyes, and equally fast for all faces.
    private static let width = 160

    private let classifiers: Lock<Classifiers>

    init() throws(ObscuraError) {
        let eye = try CascadeClassifier(path: FaceFile.cascade(FaceFile.eye))
        let mouth = try CascadeClassifier(path: FaceFile.cascade(FaceFile.mouth))
        classifiers = Lock(Classifiers(eye: eye, mouth: mouth))
    }

    /// Returns the face with its detected features.
    func added(to face: Face, in picture: PixelBuffer) throws -> Face {
        var face = face
        let (width, height) = (face.bounds.width, face.bounds.height)
        // Their typical places in the bounds that OpenCV reports: the eyes in the upper part, one in each half.
        let part = { (x: Double, y: Double, w: Double, h: Double) in
            PixelRect(
                x: face.bounds.x + Int(x * Double(width)), y: face.bounds.y + Int(y * Double(height)),
                width: Int(w * Double(width)), height: Int(h * Double(height)))
        }
        let left = part(0, 0.1, 0.5, 0.5), right = part(0.5, 0.1, 0.5, 0.5), below = part(0.1, 0.58, 0.8, 0.42)
        try classifiers.withLock { classifiers in
            let smallestEye = Self.width / 8, smallestMouth = Self.width / 4
            face.leftEye = try Self.best(classifiers.eye, left, of: face.bounds, picture, smallest: smallestEye)
            face.rightEye = try Self.best(classifiers.eye, right, of: face.bounds, picture, smallest: smallestEye)
            face.mouth = try Self.best(classifiers.mouth, below, of: face.bounds, picture, smallest: smallestMouth)
        }
        return face
    }

    /// Returns the detection with the most overlapping windows in a part of a face; nil if there is none.
    private static func best(
        _ classifier: CascadeClassifier, _ part: PixelRect, of face: PixelRect, _ picture: PixelBuffer, smallest: Int
    ) throws -> PixelRect? {
        guard let part = part.clipped(to: picture.size) else { return nil }
        let scale = Double(width) / Double(face.width)
        var request = ImageRequest(
            pixelFormat: .gray8,
            size: PixelSize(
                width: max(1, Int(Double(part.width) * scale)), height: max(1, Int(Double(part.height) * scale))))
        request.fit = .stretch
        request.crop = part
        let gray = try GrayPicture(try ImageTransformer.transform(picture, request))
        // Half the width as minimum height: a mouth is wider than high.
        let settings = CascadeSettings(
            scaleStep: 1.05, neighbours: 2, smallest: PixelSize(width: smallest, height: smallest / 2), largest: nil)
        guard let found = try classifier.find(in: gray, settings).max(by: { $0.neighbours < $1.neighbours }) else {
            return nil
        }
        return PixelRect(
            x: part.x + Int(Double(found.bounds.x) / scale), y: part.y + Int(Double(found.bounds.y) / scale),
            width: Int(Double(found.bounds.width) / scale), height: Int(Double(found.bounds.height) / scale))
    }
}
