// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraBase
public import ObscuraMedia

/// Finds the faces of a picture.
///
/// It searches on the thread that calls it, and on threads of its own beside that; never call it on Swift's global
/// executor with large pictures, which it would hold up. Any thread; several may share a detector.
///
/// For a video, ``FaceTracker`` is many times faster.
public final class FaceDetector: Sendable {
    /// What finds the faces.
    public enum Engine: Sendable, Hashable {
        /// A cascade of OpenCV's; without a file Debian's `haarcascade_frontalface_alt.xml` of the package opencv-data.
        case cascade(file: String? = nil)
        /// OpenCV's network YuNet, with a model of yours: `face_detection_yunet_….onnx` of OpenCV's model zoo.
        case yunet(model: String)
    }

    /// Who goes over the picture with a cascade.
    public enum Search: String, Sendable, Hashable, CaseIterable, Codable {
        /// OpenCV's `detectMultiScale`.
        case classic
        /// Our own, which finds the same about six times as fast. It knows the cascades whose trees have one node each
        /// over upright features, as that for frontal faces; with others, OpenCV searches.
        case fast
    }

    /// How is searched. The sizes are those of a face; the rest is for cascades.
    public struct Settings: Sendable, Hashable {
        /// By how much a size at which is searched is larger than the one before, 1.01 to 10.
        public var scaleStep = 1.1
        /// A face is where more than so many windows agree.
        public var neighbours = 2
        /// Smaller faces are not looked for: the larger, the faster.
        public var smallestFace = PixelSize(width: 30, height: 30)
        /// Larger faces are not looked for; nil for no limit.
        public var largestFace: PixelSize?
        /// Whether eyes and mouth are looked for in each face. YuNet finds them anyhow.
        public var findsFeatures = false
        /// Who goes over the picture.
        public var search = Search.fast

        /// The classic settings: steps of 1.1, 2 neighbours, faces of 30x30 and more.
        public init() {}
    }

    /// What finds the faces.
    public let engine: Engine
    /// How is searched.
    public let settings: Settings

    private enum Finder {
        case cascade(Lock<CascadeClassifier>)
        case scanner(PyramidScanner)
        case network(Lock<FaceNetwork>)
    }

    private let finder: Finder
    private let features: FaceFeatures?

    /// A detector; reads its cascade or its model.
    ///
    /// - Throws: ``ObscuraError``: the file is missing, empty, or holds something else; OpenCV has no YuNet; a setting
    ///   makes no sense.
    public init(_ engine: Engine = .cascade(), settings: Settings = Settings()) throws(ObscuraError) {
        try settings.check()
        self.engine = engine
        self.settings = settings
        switch engine {
        case .cascade(let file):
            let path = if let file { file } else { try FaceFile.cascade(FaceFile.frontalFace) }
            try FaceFile.check(path, advice: "Give a cascade, such as those of the package opencv-data.")
            if settings.search == .fast, let stumps = StumpCascade(path: path) {
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

    /// Our own search, where it is used.
    var scanner: PyramidScanner? {
        if case .scanner(let scanner) = finder { scanner } else { nil }
    }

    /// The faces of a picture, those at the top first.
    ///
    /// - Throws: ``ObscuraError`` for a compressed picture, or if OpenCV fails; `ObscuraError` when there is no memory.
    public func faces(in picture: PixelBuffer) throws -> [Face] {
        let faces: [Face] =
            switch finder {
            case .network(let network): try network.faces(in: picture, settings)
            case .cascade(let classifier):
                try classifier.find(in: try GrayPicture(picture), settings.cascade).map(Face.init)
            case .scanner(let scanner):
                try scanner.find(in: try GrayPicture(picture), settings.cascade).map(Face.init)
            }
        return try addingFeatures(to: faces.fromTheTop, picture)
    }

    /// The faces with eyes and mouth, if they are asked for.
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
            throw .invalidSettings("scaleStep is \(scaleStep), and must be from 1.01 to 10")
        }
        guard (0...1000).contains(neighbours) else {
            throw .invalidSettings("neighbours is \(neighbours), and must be from 0 to 1000")
        }
        for size in [smallestFace, largestFace ?? smallestFace] {
            guard min(size.width, size.height) >= 1 else { throw .invalidSettings("a face of \(size) has no pixels") }
            guard max(size.width, size.height) <= 32768 else {
                throw .invalidSettings("a face of \(size) is larger than any picture")
            }
        }
    }
}

extension PyramidScanner {
    /// What OpenCV's detectMultiScale finds.
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

#endif
