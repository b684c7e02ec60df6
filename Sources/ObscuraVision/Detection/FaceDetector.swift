// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A detector of faces in single images.
///
/// A search blocks the calling thread, and also uses threads of its own: do not search on Swift's global executor.
/// Thread-safe.
///
/// For a video, ``FaceTracker`` is many times faster.
public final class FaceDetector: Sendable {
    /// The detection method.
    public enum Engine: Sendable, Hashable {
        /// A cascade of OpenCV, with the path of its file; nil for `haarcascade_frontalface_alt.xml` of the package
        /// opencv-data.
        case cascade(file: String? = nil)
        /// OpenCV's neural network YuNet, with the path of its model file, such as `face_detection_yunet_2022mar.onnx`
        /// from OpenCV's model zoo.
        case yunet(model: String)
    }

    /// The algorithm with which a cascade searches a frame for faces.
    public enum Search: String, Sendable, Hashable, CaseIterable, Codable {
        /// OpenCV's `detectMultiScale`.
        case classic
        /// Obscura's own search, with the same results as ``classic``, about six times as fast.
        ///
        /// The search supports cascades whose trees have one node and upright features, such as the cascade for frontal
        /// faces. For other cascades, ``classic`` is used.
        case fast
    }

    /// The parameters of a search. YuNet uses only ``smallestFace`` and ``largestFace``.
    public struct Settings: Sendable, Hashable {
        /// The factor between one searched face size and the next, 1.01 to 10. With a smaller factor, the search is
        /// slower, but misses fewer faces.
        public var scaleStep = 1.1
        /// A cascade finds a face several times, at nearly the same place. The face is reported only if it is found
        /// more than this number of times; 0 to 1000. With a larger value, fewer false faces are reported, but more
        /// faces are missed.
        public var neighbours = 2
        /// Minimum size of a face, in pixels; larger values make the search faster.
        public var smallestFace = PixelSize(width: 30, height: 30)
        /// Maximum size of a face, in pixels; nil for no limit.
        public var largestFace: PixelSize?
        /// Whether a cascade also detects the eyes and the mouth in each face. YuNet always detects the eyes and the
        /// mouth.
        public var findsFeatures = false
        /// The algorithm with which a cascade searches a frame for faces.
        public var search = Search.fast

        /// Creates the default parameters: a scale step of 1.1, 2 neighbors, faces of at least 30x30 pixels.
        public init() {}
    }

    /// The detection method.
    public let engine: Engine
    /// The parameters of the search.
    public let settings: Settings

    private enum Finder {
        case cascade(Lock<CascadeClassifier>)
        case scanner(PyramidScanner)
        case network(Lock<FaceNetwork>)
    }

    private let finder: Finder
    private let features: FaceFeatures?

    /// Creates a detector and reads its cascade or model.
    ///
    /// - Throws: ``ObscuraError``: `invalidSettings` if a parameter is out of range; `unreadable`, `empty`,
    ///   `notACascade` or `notAModel` if the file cannot be used; `unsupported` if OpenCV has no YuNet;
    ///   `libraryMissing` if the library ObscuraOpenCV cannot be loaded.
    public init(_ engine: Engine = .cascade(), settings: Settings = Settings()) throws(ObscuraError) {
        try settings.check()
        self.engine = engine
        self.settings = settings
        switch engine {
        case .cascade(let file):
            let path = if let file { file } else { try FaceFile.cascade(FaceFile.frontalFace) }
            try FaceFile.check(path, advice: "Give a cascade, such as those of the package opencv-data.")
            if settings.search == .fast, let stumps = try StumpCascade(path: path) {
                finder = .scanner(PyramidScanner(stumps))
            } else {
                finder = .cascade(Lock(try CascadeClassifier(path: path)))
            }
            features = settings.findsFeatures ? try FaceFeatures() : nil
        case .yunet(let model):
            try FaceFile.check(model, advice: ObscuraError.modelAdvice)
            finder = .network(Lock(try FaceNetwork(model: model)))
            features = nil
        }
    }

    /// Creates a detector with another minimum size of a face and otherwise the parameters of another detector, whose
    /// cascade or model is not read again.
    ///
    /// - Throws: ``ObscuraError``: `invalidSettings` if the size is out of range.
    package init(_ other: FaceDetector, smallestFace: PixelSize) throws(ObscuraError) {
        var settings = other.settings
        settings.smallestFace = smallestFace
        try settings.check()
        self.settings = settings
        engine = other.engine
        finder = other.finder
        features = other.features
    }

    /// The fast search, if it is used.
    var scanner: PyramidScanner? {
        if case .scanner(let scanner) = finder { scanner } else { nil }
    }

    /// Returns the faces in an image, sorted from top to bottom.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedPicture` for a compressed image, `searchFailed` if OpenCV fails,
    ///   `outOfMemory`.
    public func faces(in picture: PixelBuffer) throws -> [Face] {
        let faces: [Face] =
            switch finder {
            case .network(let network): try network.faces(in: picture, settings)
            case .cascade(let classifier):
                try classifier.find(in: try GrayPicture(picture), settings.cascade).map(Face.init)
            case .scanner(let scanner):
                try scanner.find(in: try GrayPicture(picture), settings.cascade).map(Face.init)
            }
        return try addingFeatures(to: faces.sortedFromTop, picture)
    }

    /// Returns the faces with eyes and mouth, if requested.
    func addingFeatures(to faces: [Face], _ picture: PixelBuffer) throws -> [Face] {
        guard let features else { return faces }
        return try faces.map { try features.added(to: $0, in: picture) }
    }
}

extension FaceDetector.Settings {
    var cascade: CascadeSettings {
        CascadeSettings(
            scaleStep: scaleStep, neighbours: neighbours, smallest: smallestFace, largest: largestFace)
    }

    fileprivate func check() throws(ObscuraError) {
        guard (1.01...10).contains(scaleStep) else {
            throw .invalidSettings("scaleStep must be 1.01 to 10, not \(scaleStep)")
        }
        guard (0...1000).contains(neighbours) else {
            throw .invalidSettings("neighbours must be 0 to 1000, not \(neighbours)")
        }
        for size in [smallestFace, largestFace ?? smallestFace] {
            guard min(size.width, size.height) >= 1 else {
                throw .invalidSettings("the face sizes must be at least 1x1 pixel, not \(size)")
            }
            guard max(size.width, size.height) <= 32768 else {
                throw .invalidSettings("the face sizes must be at most 32768x32768 pixels, not \(size)")
            }
        }
    }
}

extension PyramidScanner {
    /// Returns the result of OpenCV's detectMultiScale.
    func find(in picture: GrayPicture, _ settings: CascadeSettings) throws -> [FoundRect] {
        let pyramid = ScalePyramid(picture: picture.size, window: cascade.window, settings: settings)
        let windows = try scan(pyramid.levels.flatMap(ScanBand.all), of: picture)
        return try FoundRect.grouped(windows, neighbours: settings.neighbours)
    }
}

extension Lock<CascadeClassifier> {
    fileprivate func find(in picture: GrayPicture, _ settings: CascadeSettings) throws -> [FoundRect] {
        try withLock { try $0.find(in: picture, settings) }
    }
}
