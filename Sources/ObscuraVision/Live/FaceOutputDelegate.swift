// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraImaging
internal import ObscuraMedia

/// The delegate that searches the frames of a ``FaceOutput``, on its queue.
final class FaceOutputDelegate: VideoDataOutputDelegate {
    private struct State {
        var latest: FaceOutput.Detection?
        var failure: (any Error)?
        /// The number of resets: a search that began before a reset is discarded.
        var resets = 0
        /// Whether to reset the tracker before the next frame.
        var mustReset = false
        /// The geometry of the last frame, and the number of frames since it changed.
        var geometry: Geometry?
        var frameCount = 0
        var isSearching = true
    }

    private struct Geometry: Equatable {
        let orientation: Orientation
        let isMirrored: Bool
    }

    /// Maximum number of frames that still have the former geometry when a connection is changed.
    private static let framesInFlight = 2

    let detections = EventListeners<FaceOutput.Detection>()
    private let tracker: FaceTracker
    private let state = Lock(State())

    init(_ tracker: FaceTracker) {
        self.tracker = tracker
    }

    var latest: FaceOutput.Detection? { state.withLock { $0.latest } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    var isSearching: Bool {
        get { state.withLock { $0.isSearching } }
        set {
            state.withLock { $0.isSearching = newValue }
            if !newValue { reset() }
        }
    }

    /// Discards the faces after the session has stopped. Does not wait for a search.
    func reset() {
        state.withLock { state in
            state.latest = nil
            state.resets += 1
            state.mustReset = true
        }
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        guard isSearching else { return }
        let geometry = Geometry(orientation: connection.orientation, isMirrored: connection.isMirrored)
        let (resets, mustReset, isSettled) = state.withLock { state in
            if state.geometry != nil, state.geometry != geometry { (state.latest, state.frameCount) = (nil, 0) }
            if state.geometry == nil { state.frameCount = Self.framesInFlight }
            state.geometry = geometry
            defer { (state.mustReset, state.frameCount) = (false, state.frameCount + 1) }
            return (state.resets, state.mustReset, state.frameCount >= Self.framesInFlight)
        }
        if mustReset { tracker.reset() }
        // The geometry of this frame is uncertain.
        guard isSettled else { return }
        var request = ImageRequest()
        (request.orientation, request.isMirrored) = (geometry.orientation, geometry.isMirrored)
        let size = frame.buffer.size
        let upright = request.orientation.isTransposed ? size.transposed : size
        let begin = HostTime.now
        do {
            let faces = try tracker.update(with: frame)
            let detection = FaceOutput.Detection(
                faces: faces, presentationTime: frame.presentationTime, hostTime: frame.hostTime,
                sequence: frame.sequence, size: size, duration: .now - begin,
                searched: PictureGeometry(request, of: upright), upright: PictureGeometry(ImageRequest(), of: upright))
            let isCurrent = state.withLock { state in
                guard state.resets == resets else { return false }
                (state.latest, state.failure) = (detection, nil)
                return true
            }
            if isCurrent { detections.send(detection) }
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection) {}

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        reset()
    }
}
