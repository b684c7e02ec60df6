// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Detects the faces of a video and tracks each over successive frames.
///
/// Every face that it reports, ``FaceDetector`` would report too. It is faster because it searches only a part of each
/// frame: large faces everywhere in each frame, small ones everywhere in rounds of ``roundLength`` frames, and known faces
/// around their last place. A new small face is detected after at most ``roundLength`` frames, and from then on in each
/// frame in which the detector would find it. The first frame is searched completely.
///
/// Use one tracker per stream, and pass its frames in order. The search runs on the thread that calls
/// ``update(with:)-(VideoFrame)``, and on threads of its own; do not call it on Swift's global executor.
///
/// With YuNet, and with cascades that only OpenCV supports, each frame is searched completely.
public final class FaceTracker: Sendable {
    /// The detector.
    public let detector: FaceDetector

    /// The number of frames after which every size was searched in the whole picture.
    public static let roundLength = FaceSearch.roundLength

    private let search = Lock(FaceSearch())

    /// Creates a tracker with its own detector.
    ///
    /// - Throws: as `FaceDetector.init`.
    public convenience init(
        _ engine: FaceDetector.Engine = .cascade(), settings: FaceDetector.Settings = FaceDetector.Settings()
    ) throws(ObscuraError) {
        self.init(detector: try FaceDetector(engine, settings: settings))
    }

    /// Creates a tracker with a detector.
    public init(detector: FaceDetector) {
        self.detector = detector
    }

    /// The faces of the next frame of the stream, each with its ``Face/id``.
    ///
    /// - Throws: ``ObscuraError`` for a compressed picture, if OpenCV fails, or without memory. The frame is then
    ///   ignored.
    public func update(with frame: VideoFrame) throws -> [Face] {
        try update(with: frame.buffer, isConnected: !frame.attachments.isDiscontinuity)
    }

    /// As ``update(with:)``, with a picture that continues the stream.
    public func update(with picture: PixelBuffer) throws -> [Face] {
        try update(with: picture, isConnected: true)
    }

    /// Discards the tracks, and searches the next frame completely.
    public func reset() {
        search.withLock { $0.reset() }
    }

    private func update(with picture: PixelBuffer, isConnected: Bool) throws -> [Face] {
        try search.withLock { search in
            if !isConnected { search.reset() }
            let faces: [Face]
            if let scanner = detector.scanner {
                let gray = try GrayPicture(picture)
                let found = try search.find(gray, with: scanner, detector.settings.cascade)
                faces = try detector.addingFeatures(to: found.map(Face.init), picture)
            } else {
                faces = try detector.faces(in: picture)
            }
            return search.tracks.follow(faces).sortedFromTop
        }
    }
}
