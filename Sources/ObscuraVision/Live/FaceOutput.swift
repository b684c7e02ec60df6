// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
public import ObscuraCapture
internal import ObscuraImaging
public import ObscuraMedia

/// An output that detects faces in the frames of a session without delaying other outputs.
///
/// After each search, the output searches the newest frame. Older frames are dropped.
///
/// ```swift
/// let faces = try FaceOutput()
/// try await session.configure { try $0.addOutput(faces) }
/// for await detection in faces.detections {
///     print(detection.presentationTime, detection.faces.count)
/// }
/// ```
///
/// The output searches on its own thread. The effects ``FaceMask/effect(of:)`` and `VideoEffect.mosaic(of:side:)` apply
/// the latest faces to subsequent frames, for 0.5 s or three times the duration of the search, whichever is longer.
///
/// Thread-safe.
public final class FaceOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constant and `Sendable`.
    /// The faces of one frame.
    public struct Detection: Sendable {
        /// The faces, each with its ``Face/id``.
        public let faces: [Face]
        /// The presentation time of the searched frame, on the timeline of the source.
        public let presentationTime: MediaTime
        /// The time of the searched frame on CLOCK_MONOTONIC: the time of capture for a live source, the time of
        /// playback for a file.
        public let hostTime: HostTime
        /// The number that the driver assigned to the searched frame, counted from 0.
        public let sequence: UInt64
        /// The size of the searched frame, in pixels, after its rotation by the connection of the output.
        public let size: PixelSize
        /// The duration of the search.
        public let duration: Duration

        /// The geometry of the searched frame, and of the upright one, both relative to the upright one.
        let searched, upright: PictureGeometry
    }

    private let pictures: VideoDataOutput
    private let delegate: FaceOutputDelegate

    /// Creates an output with a tracker.
    ///
    /// - Parameters:
    ///   - name: the name for statistics and messages.
    ///   - tracker: the tracker, which must not be used elsewhere.
    public init(name: String = "faces", tracker: FaceTracker) {
        pictures = VideoDataOutput(name: name)
        delegate = FaceOutputDelegate(tracker)
        super.init(name: name, parts: [pictures])
        pictures.setDelegate(delegate, queue: DispatchQueue(label: "obscura.\(name)"))
    }

    /// Creates an output with a new tracker.
    ///
    /// - Parameters:
    ///   - name: the name for statistics and messages.
    ///   - engine: the detection method.
    ///   - settings: the parameters of the search.
    /// - Throws: as `FaceDetector.init`.
    public convenience init(
        name: String = "faces", engine: FaceDetector.Engine = .cascade(),
        settings: FaceDetector.Settings = FaceDetector.Settings()
    ) throws(ObscuraError) {
        self.init(name: name, tracker: try FaceTracker(engine, settings: settings))
    }

    /// The connection to the camera. Its orientation and mirroring are applied to the frames before the search.
    public var connection: CaptureConnection { pictures.connection }

    /// Whether frames are searched. If false, frames are ignored, and the next search is like the first one.
    package var isSearching: Bool {
        get { delegate.isSearching }
        set { delegate.isSearching = newValue }
    }

    /// The latest detection; nil before the first detection and after the session has stopped. A change of the
    /// orientation or mirroring of the connection also resets this property to nil.
    public var latest: Detection? { delegate.latest }

    /// The error of the latest search; nil if the latest search succeeded, or no frame was searched yet.
    public var failure: (any Error)? { delegate.failure }

    /// A new sequence of all detections after the access. The sequence ends when the output is released. Each access
    /// creates an independent sequence.
    ///
    /// The sequence buffers 64 unread detections; if there are more, the oldest are dropped.
    public var detections: AsyncStream<Detection> { delegate.detections.makeStream() }

    /// Returns the time for which a detection applies to later frames: until the next search is likely to have ended,
    /// at least 0.5 s.
    static func validity(_ detection: Detection) -> Duration { max(.milliseconds(500), detection.duration * 3) }

    /// Returns the latest faces in the coordinates of the frame of `context`; empty if they are too old, or from frames
    /// of another size.
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

// MARK: - Session

extension FaceOutput: CompositeOutput {
    package func partsDidStop() { delegate.reset() }
}

extension Face {
    /// Returns the face in the coordinates of another frame.
    fileprivate func placed(_ place: (PixelRect) -> PixelRect) -> Face {
        var face = self
        face.bounds = place(bounds)
        // Left and right are those of the frame, which may be mirrored.
        let eyes = [leftEye.map(place), rightEye.map(place)]
        let isMirrored =
            place(PixelRect(x: 0, y: 0, width: 1, height: 1)).x > place(PixelRect(x: 1, y: 0, width: 1, height: 1)).x
        (face.leftEye, face.rightEye) = isMirrored ? (eyes[1], eyes[0]) : (eyes[0], eyes[1])
        face.mouth = mouth.map(place)
        return face
    }
}
