// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A detector of the faces in a video, which tracks each face over successive frames.
///
/// It reports only faces that ``FaceDetector`` would report as well. It is faster because it searches only a part of
/// each frame: large faces everywhere in each frame, small ones everywhere in rounds of ``roundLength`` frames, and
/// known faces around their last position. A new small face is detected after at most ``roundLength`` frames, and from
/// then on in each frame in which the detector would detect it. The first frame is searched completely.
///
/// Use one tracker per stream, and pass its frames in order. The search runs on the thread that calls
/// ``update(with:)-(VideoFrame)``, and on threads of its own; do not call it on Swift's global executor.
///
/// With YuNet, and with cascades that only OpenCV supports, each frame is searched completely.
public final class FaceTracker: Sendable {
    /// The detector.
    public let detector: FaceDetector

    /// The number of frames after which every size was searched in the whole frame.
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

    /// Returns the faces of the next frame of the stream, each with its ``Face/id``.
    ///
    /// - Throws: as ``FaceDetector/faces(in:)``. The frame is then ignored.
    public func update(with frame: VideoFrame) throws -> [Face] {
        try update(with: frame.buffer, isConnected: !frame.attachments.isDiscontinuity)
    }

    /// Returns the faces like ``update(with:)-(VideoFrame)``, for a frame that continues the stream.
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
