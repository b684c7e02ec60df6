// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A detector of the faces in a video, which tracks each face over successive frames.
///
/// The tracker reports only faces that ``FaceDetector`` would report as well. The tracker is faster because it searches
/// only a part of each frame:
///
/// - The first frame is searched completely.
/// - Large faces are searched in the whole of each frame.
/// - Small faces are searched in the whole frame once in ``roundLength`` frames, so a new small face is detected after
///   at most ``roundLength`` frames.
/// - Known faces are searched in each frame, around their last position.
///
/// Use one tracker per stream, and pass the frames of the stream in order. The search runs on the thread that calls
/// ``update(with:)-(VideoFrame)``, and on threads of its own; do not search on Swift's global executor.
///
/// With YuNet, and with cascades that only ``FaceDetector/Search/classic`` supports, each frame is searched completely.
public final class FaceTracker: Sendable {
    /// The detector that searches the frames.
    public let detector: FaceDetector

    /// The maximum number of frames until a new face is detected. Within this number of frames, each face size is
    /// searched in a whole frame at least once.
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
    /// - Throws: as ``FaceDetector/faces(in:)``. A frame whose search fails is ignored.
    public func update(with frame: VideoFrame) throws -> [Face] {
        try update(with: frame.buffer, isConnected: !frame.attachments.isDiscontinuity)
    }

    /// Returns the faces of the next image of the stream, like ``update(with:)-(VideoFrame)``. If the stream was
    /// interrupted before the image, call ``reset()`` first.
    public func update(with picture: PixelBuffer) throws -> [Face] {
        try update(with: picture, isConnected: true)
    }

    /// Discards all tracked faces. The next frame is searched completely.
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
