// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraBase
public import ObscuraMedia

/// Finds the faces of a video, and follows each from frame to frame.
///
/// What it finds on a frame, ``FaceDetector`` finds there too. It is faster because it does not search all of each
/// frame: large faces everywhere on each frame, small ones in turns of ``roundLength`` frames, and each face that it
/// knows around its last place. So a small face that comes into the picture is found after at most so many frames, and
/// from then on on each frame on which the detector would find it. The first frame is searched whole.
///
/// One tracker serves one stream, whose frames come one after the other. It works on the thread that calls
/// ``update(with:)``, and on threads of its own beside it; never call it on Swift's global executor.
///
/// With YuNet, and with cascades that only OpenCV can search with, each frame is searched whole.
public final class FaceTracker: Sendable {
    /// What finds the faces.
    public let detector: FaceDetector

    /// After how many frames every size was looked for everywhere.
    public static let roundLength = FaceSearch.roundLength

    private let search = Lock(FaceSearch())

    /// A tracker that finds what a detector of its own finds.
    ///
    /// - Throws: as `FaceDetector.init`.
    public convenience init(
        _ engine: FaceDetector.Engine = .cascade(), settings: FaceDetector.Settings = FaceDetector.Settings()
    ) throws(ObscuraError) {
        self.init(detector: try FaceDetector(engine, settings: settings))
    }

    /// A tracker that finds what `detector` finds.
    public init(detector: FaceDetector) {
        self.detector = detector
    }

    /// The faces of the next frame of the stream, each with its ``Face/id``.
    ///
    /// - Throws: ``ObscuraError`` for a compressed picture, or if OpenCV fails; `ObscuraError` when there is no memory.
    ///   The frame then counts as not seen.
    public func update(with frame: VideoFrame) throws -> [Face] {
        try update(with: frame.buffer, isConnected: !frame.attachments.isDiscontinuity)
    }

    /// As ``update(with:)``, with a picture that follows the last one.
    public func update(with picture: PixelBuffer) throws -> [Face] {
        try update(with: picture, isConnected: true)
    }

    /// Forgets the faces and searches the next frame whole, as at the beginning.
    public func reset() {
        search.withLock { $0.startAnew() }
    }

    private func update(with picture: PixelBuffer, isConnected: Bool) throws -> [Face] {
        try search.withLock { search in
            if !isConnected { search.startAnew() }
            let faces: [Face]
            if let scanner = detector.scanner {
                let gray = try GrayPicture(picture)
                let found = try search.find(gray, with: scanner, detector.settings.cascade)
                faces = try detector.addingFeatures(to: found.map(Face.init), picture)
            } else {
                faces = try detector.faces(in: picture)
            }
            return search.tracks.follow(faces).fromTheTop
        }
    }
}

#endif
