// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import Dispatch
public import ObscuraCapture
internal import ObscuraImaging
public import ObscuraMedia

/// Finds faces in the frames of a session, and is never in the way: it takes the newest frame when it is free and
/// drops the others, and no reader of pictures waits for it.
///
/// ```swift
/// let faces = try FaceOutput()
/// try await session.configure { try $0.addOutput(faces) }
/// for await detection in faces.detections {
///     print(detection.presentationTime, detection.faces.count)
/// }
/// ```
///
/// It works on a thread of its own. What it found last is laid over later frames by the effects that
/// ``FaceMask/effect(of:)`` and `VideoEffect.mosaic(of:side:)` make: for half a second, or for three times as long as the
/// search took, if that is longer.
///
/// Thread-safe. `Sendable` is proved by the properties, which are constant and `Sendable`.
public final class FaceOutput: CaptureOutput, @unchecked Sendable {
    /// The faces of one frame.
    public struct Detection: Sendable {
        /// Each with its ``Face/id``; empty where there are none.
        public let faces: [Face]
        /// When the frame is to be shown, on the timeline of its source.
        public let presentationTime: MediaTime
        /// When it was taken or due, on CLOCK_MONOTONIC.
        public let hostTime: HostTime
        /// The driver's count of frames.
        public let sequence: UInt64
        /// The size of the picture that was searched, in pixels: upright, and turned and mirrored as the output's
        /// connection says.
        public let size: PixelSize
        /// How long the search took.
        public let duration: Duration

        /// How the picture that was searched was made of the upright one, and that of itself.
        let searched, upright: PictureGeometry
    }

    private let pictures: VideoDataOutput
    private let searcher: FaceSearcher

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - tracker: what finds the faces; it belongs to this output alone.
    public init(name: String = "faces", tracker: FaceTracker) {
        pictures = VideoDataOutput(name: name)
        searcher = FaceSearcher(tracker)
        super.init(name: name, parts: [pictures])
        pictures.setDelegate(searcher, queue: DispatchQueue(label: "obscura.\(name)"))
    }

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - engine: what finds the faces.
    ///   - settings: how is searched.
    /// - Throws: as `FaceDetector.init`.
    public convenience init(
        name: String = "faces", engine: FaceDetector.Engine = .cascade(),
        settings: FaceDetector.Settings = FaceDetector.Settings()
    ) throws(ObscuraError) {
        self.init(name: name, tracker: try FaceTracker(engine, settings: settings))
    }

    /// Its link to a camera: frames that it lets pass are searched, turned and mirrored as it says.
    public var connection: CaptureConnection { pictures.connection }

    /// What was found last; nil before the first frame, and once the session has stopped.
    public var latest: Detection? { searcher.latest }

    /// Why the last frame could not be searched; nil where it could.
    public var failure: (any Error)? { searcher.failure }

    /// What is found from now on, for any number of `for await` loops. A loop that is slow gets the newest ones. It
    /// ends with the output.
    public var detections: AsyncStream<Detection> { searcher.listeners.makeStream() }

    /// For how long what was found is laid over later frames: until the next search can have ended, and half a second
    /// at least.
    static func validity(_ detection: Detection) -> Duration { max(.milliseconds(500), detection.duration * 3) }

    /// The faces that were found last, where they lie in the picture of `context`; none if that was too long ago, or
    /// in frames of another size.
    func faces(in context: EffectContext) -> [Face] {
        guard let latest, let geometry = context.geometry, let upright = context.upright else { return [] }
        let age = context.hostTime - latest.hostTime
        let validity = Self.validity(latest)
        guard age <= validity, age >= .zero - validity, upright.size == latest.upright.size else { return [] }
        return latest.faces.map { face in
            face.placed { rect in upright.place(latest.searched.place(rect, in: latest.upright), in: geometry) }
        }
    }
}

// MARK: - The session's side

extension FaceOutput: CompositeOutput {
    package func partsDidStop() { searcher.forget() }
}

extension Face {
    /// The same face in another picture, where `place` says.
    fileprivate func placed(_ place: (PixelRect) -> PixelRect) -> Face {
        var face = self
        face.bounds = place(bounds)
        // Left is what lies on the left of the picture, which may be mirrored.
        let eyes = [leftEye.map(place), rightEye.map(place)]
        let isMirrored =
            place(PixelRect(x: 0, y: 0, width: 1, height: 1)).x > place(PixelRect(x: 1, y: 0, width: 1, height: 1)).x
        (face.leftEye, face.rightEye) = isMirrored ? (eyes[1], eyes[0]) : (eyes[0], eyes[1])
        face.mouth = mouth.map(place)
        return face
    }
}

#endif
