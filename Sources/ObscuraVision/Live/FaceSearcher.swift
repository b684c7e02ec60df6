// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraImaging
internal import ObscuraMedia

/// Searches the frames that an output hands it, on that output's queue.
final class FaceSearcher: VideoDataOutputDelegate {
    private struct State {
        var latest: FaceOutput.Detection?
        var failure: (any Error)?
        /// Counts the stops: what was searched before one is not the newest after it.
        var stops = 0
        /// Whether the next frame begins anew.
        var mustReset = false
        /// How the last frame was turned and mirrored, and how many came since that was another way.
        var way: Way?
        var framesOfWay = 0
    }

    private struct Way: Equatable {
        let orientation: Orientation
        let isMirrored: Bool
    }

    /// So many frames may be on their way, made as it was asked for before, when a connection is changed.
    private static let framesUnderWay = 2

    let listeners = EventListeners<FaceOutput.Detection>()
    private let tracker: FaceTracker
    private let state = Lock(State())

    init(_ tracker: FaceTracker) {
        self.tracker = tracker
    }

    var latest: FaceOutput.Detection? { state.withLock { $0.latest } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The session has stopped: there are no later frames to which the faces belong. It does not wait for a search.
    func forget() {
        state.withLock { state in
            state.latest = nil
            state.stops += 1
            state.mustReset = true
        }
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        let way = Way(orientation: connection.orientation, isMirrored: connection.isMirrored)
        let (stops, mustReset, isSettled) = state.withLock { state in
            if state.way != nil, state.way != way { (state.latest, state.framesOfWay) = (nil, 0) }
            if state.way == nil { state.framesOfWay = Self.framesUnderWay }
            state.way = way
            defer { (state.mustReset, state.framesOfWay) = (false, state.framesOfWay + 1) }
            return (state.stops, state.mustReset, state.framesOfWay >= Self.framesUnderWay)
        }
        if mustReset { tracker.reset() }
        // Nobody knows in which way this frame was made.
        guard isSettled else { return }
        var request = ImageRequest()
        (request.orientation, request.isMirrored) = (way.orientation, way.isMirrored)
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
                guard state.stops == stops else { return false }
                (state.latest, state.failure) = (detection, nil)
                return true
            }
            if isCurrent { listeners.send(detection) }
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection) {}

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        forget()
    }
}

#endif
