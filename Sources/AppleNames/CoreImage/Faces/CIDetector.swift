// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase
internal import ObscuraImaging

/// A detector of faces in images: OpenCV's cascade for frontal faces, `FaceDetector`.
///
/// A search blocks the calling thread, and also uses threads of its own. A new detector reads files of OpenCV: create
/// one, and use it for all images. A detector that tracks faces must be used for one video only. Thread-safe.
public final class CIDetector: Sendable {
    private static let logger = Logger(label: "obscura.coreimage")

    private let detector: FaceDetector
    private let context: CIContext?
    /// The minimum size of a face, as a fraction of the shorter side of the image.
    private let smallestFace: Double
    private let isTracking: Bool
    private let tracker = Lock<FaceTracker?>(nil)

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - type: ``CIDetectorTypeFace``.
    ///   - context: the renderer of the images; nil for a default one.
    ///   - options: ``CIDetectorAccuracy``, ``CIDetectorMinFeatureSize`` and ``CIDetectorTracking``. Other options have
    ///     no effect.
    /// - Returns: nil for another type. Also nil if OpenCV or its cascades are missing: the log then has an error with
    ///   a remedy.
    public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {
        guard type == CIDetectorTypeFace else { return nil }
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        switch options?[CIDetectorAccuracy] as? String {
        case CIDetectorAccuracyLow: settings.scaleStep = 1.2
        case CIDetectorAccuracyHigh: settings.scaleStep = 1.05
        default: break
        }
        do throws(ObscuraError) {
            detector = try FaceDetector(settings: settings)
        } catch {
            Self.logger.error("CIDetector: \(error)")
            return nil
        }
        self.context = context
        smallestFace = options?[CIDetectorMinFeatureSize].flatMap { Double(filterValue: $0) } ?? 0.15
        isTracking = Bool(option: options?[CIDetectorTracking]) ?? false
    }

    /// Returns the upright faces in an image, the most reliable first.
    ///
    /// - Returns: an empty array if there is no face. If the image cannot be rendered or searched, the array is also
    ///   empty, and an error is logged.
    public func features(in image: CIImage) -> [CIFeature] {
        features(in: image, options: nil)
    }

    /// Returns the faces in an image, like ``features(in:)``.
    ///
    /// - Parameter options: ``CIDetectorImageOrientation``: the image is rotated upright for the search, but the
    ///   results have the coordinates of `image`. Other options have no effect.
    public func features(in image: CIImage, options: [String: Any]? = nil) -> [CIFeature] {
        let orientation = CGImagePropertyOrientation(option: options?[CIDetectorImageOrientation])
        do {
            guard let area = image.area,
                let picture = try image.oriented(orientation).rendered(nil, as: nil, in: context?.pool)
            else { return [] }
            return try faces(in: picture).sorted { $0.confidence > $1.confidence }
                .map { CIFaceFeature($0, in: area, orientation) }
        } catch {
            Self.logger.error("CIDetector: the image cannot be searched for faces: \(error)")
            return []
        }
    }

    private func faces(in picture: PixelBuffer) throws -> [Face] {
        let least = Int(min(max(0, smallestFace), 1) * Double(min(picture.width, picture.height)))
        let size = PixelSize(width: max(1, least), height: max(1, least))
        guard isTracking else { return try FaceDetector(detector, smallestFace: size).faces(in: picture) }
        return try tracker.withLock { tracker in
            if let tracker, tracker.detector.settings.smallestFace == size { return try tracker.update(with: picture) }
            let new = FaceTracker(detector: try FaceDetector(detector, smallestFace: size))
            tracker = new
            return try new.update(with: picture)
        }
    }
}

extension CIDetector: Hashable {
    /// Whether both are the same object.
    public static func == (one: CIDetector, other: CIDetector) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension CIFaceFeature {
    /// Creates the feature of a face that was found in the upright picture of an image.
    ///
    /// - Parameters:
    ///   - area: the area of the image.
    ///   - orientation: the orientation of the image.
    fileprivate convenience init(_ face: Face, in area: ImageArea, _ orientation: CGImagePropertyOrientation) {
        var request = ImageRequest()
        request.orientation = orientation.turn
        request.isMirrored = orientation.isMirrored
        let upright = PictureGeometry(request, of: area.size)
        let stored = PictureGeometry(ImageRequest(), of: area.size)
        func place(_ rect: PixelRect) -> CGRect {
            let rect = upright.place(rect, in: stored)
            return CGRect(
                x: area.x + rect.x, y: area.y + area.height - rect.y - rect.height, width: rect.width,
                height: rect.height)
        }
        self.init(
            bounds: place(face.bounds), leftEye: face.leftEye.map(place), rightEye: face.rightEye.map(place),
            mouth: face.mouth.map(place), trackingID: face.id.map { Int32(clamping: $0) })
    }
}

extension CGImagePropertyOrientation {
    /// The orientation with a number of any type; upright for no number and for one that is not 1 to 8.
    fileprivate init(option: Any?) {
        let number = option.flatMap { Double(filterValue: $0) }.flatMap { UInt32(exactly: $0) }
        self = number.flatMap(Self.init(rawValue:)) ?? .up
    }
}
