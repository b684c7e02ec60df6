// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

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
    }

    let listeners = EventListeners<FaceOutput.Detection>()
    private let tracker: FaceTracker
    private let state = Lock(State())

    init(_ tracker: FaceTracker) {
        self.tracker = tracker
    }

    var latest: FaceOutput.Detection? { state.withLock { $0.latest } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The session has stopped: there are no later frames to which the faces belong.
    func forget() {
        state.withLock { state in
            state.latest = nil
            state.stops += 1
        }
        tracker.reset()
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        let stops = state.withLock { $0.stops }
        // As the frame was made a moment ago.
        var request = ImageRequest()
        request.orientation = connection.orientation
        request.isMirrored = connection.isMirrored
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

    func output(_ output: VideoDataOutput, didFinishWith error: CaptureError?) {
        forget()
    }
}

#endif
