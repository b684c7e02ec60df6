// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import NIOCore
internal import Obscura
internal import ObscuraBase
internal import ObscuraCapture

/// One view of a camera, encoded once for all of its viewers.
///
/// It reads frames while it has viewers, on its own threads, and passes each picture to every viewer. Viewers must not
/// block: they keep the newest picture and drop older ones.
final class PictureStream: Sendable {
    /// A receiver of pictures. Called on a thread of the stream; must not block.
    struct Viewer: Sendable {
        var receive: @Sendable (EncodedPicture) -> Void
        /// Called when the stream has ended; it never resumes.
        var end: @Sendable () -> Void
    }

    /// One pass over the camera's frames, from a start to a stop.
    private struct Reading {
        let number: Int
        let task: Task<Void, Never>
        /// Whether the camera was restarted before this pass noticed its end.
        var isOutdated = false
    }

    private struct State {
        var viewers: [Int: Viewer] = [:]
        var nextViewer = 0
        var sequence: UInt32 = 0
        var latest: EncodedPicture?
        var reading: Reading?
        var readings = 0
        /// Whether the camera was removed.
        var isFinished = false
    }

    /// Encoding takes longer than conversion, so it has its own threads.
    private static let executor = PoolExecutor(WorkerPool(name: "pictures", threads: max(2, WorkerPool.coreCount)))
    /// Maximum age of a picture that a new viewer still receives.
    private static let freshness = Duration.milliseconds(250)

    let request: PictureRequest
    private let preview: PreviewOutput
    private let logger: Logger
    private let onEnd: @Sendable () -> Void
    private let state = Lock(State())
    /// Delays from the capture time stamp to the encoded picture.
    let delays = Lock(DurationHistogram())

    /// - Parameter onEnd: called when the camera delivers no more frames, whatever the reason.
    init(
        _ request: PictureRequest, of preview: PreviewOutput, logger: Logger, onEnd: @escaping @Sendable () -> Void
    ) {
        self.onEnd = onEnd
        self.request = request
        self.preview = preview
        self.logger = logger
    }

    deinit {
        state.withLock { $0.reading }?.task.cancel()
    }

    /// Number of viewers.
    var viewerCount: Int { state.withLock { $0.viewers.count } }

    /// Passes each picture to `viewer`, beginning with the latest one if it is recent. The first viewer starts the
    /// stream.
    ///
    /// - Returns: the id to pass to ``remove(_:)``.
    func add(_ viewer: Viewer) -> Int {
        // Before the viewer is registered: newer pictures arrive on another thread, and must not precede this one.
        if let latest = state.withLock({ $0.latest }), latest.age() < Self.freshness { viewer.receive(latest) }
        let (id, isFinished) = state.withLock { state in
            let id = state.nextViewer
            state.nextViewer += 1
            state.viewers[id] = viewer
            if state.reading == nil, !state.isFinished { read(&state) }
            return (id, state.isFinished)
        }
        if isFinished { viewer.end() }
        return id
    }

    /// Removes a viewer. Removing the last one stops the stream.
    func remove(_ id: Int) {
        let (viewer, reading) = state.withLock { state -> (Viewer?, Reading?) in
            let viewer = state.viewers.removeValue(forKey: id)
            guard state.viewers.isEmpty else { return (viewer, nil) }
            defer { (state.reading, state.latest) = (nil, nil) }
            return (viewer, state.reading)
        }
        reading?.task.cancel()
        withExtendedLifetime(viewer) {}
    }

    /// Resumes after a restart of the camera, if there are viewers.
    func resume() {
        state.withLock { state in
            if state.reading == nil, !state.viewers.isEmpty { read(&state) } else { state.reading?.isOutdated = true }
        }
    }

    /// Ends the stream; it cannot be resumed.
    func finish() {
        let viewers = state.withLock { state in
            state.isFinished = true
            return state.viewers.values
        }
        for viewer in viewers { viewer.end() }
    }

    // MARK: Encoding

    private func read(_ state: inout State) {
        let view = preview.subscribe(size: request.box, gravity: request.gravity, pixelFormat: .i420)
        view.colorSpace = .jpeg
        view.isMirrored = request.isMirrored
        view.minFrameDuration = request.rate.map { MediaTime(value: 1, timescale: Int32($0)) }
        let number = state.readings
        state.readings += 1
        let task = Task(executorPreference: Self.executor) { [weak self, logger, quality = request.quality] in
            do {
                let encoder = try JPEGEncoder(quality: quality)
                var hasFailed = false
                for try await frame in view.frames {
                    guard let self else { return }
                    do {
                        try self.publish(frame, encoder, number)
                    } catch {
                        // The next frame may be encodable again.
                        if !hasFailed { logger.warning("a frame was not encoded", metadata: ["error": "\(error)"]) }
                        hasFailed = true
                    }
                }
            } catch {
                logger.info("a view has ended", metadata: ["error": "\(error)"])
            }
            if !Task.isCancelled { self?.end(number) }
        }
        state.reading = Reading(number: number, task: task)
    }

    /// Ends a pass after the camera stopped or failed.
    private func end(_ number: Int) {
        let isOver = state.withLock { state in
            guard let reading = state.reading, reading.number == number else { return false }
            state.reading = nil
            guard reading.isOutdated, !state.viewers.isEmpty else { return true }
            read(&state)
            return false
        }
        if isOver { onEnd() }
    }

    private func publish(_ frame: VideoFrame, _ encoder: JPEGEncoder, _ number: Int) throws {
        let file = try encoder.encode(frame.buffer)
        let (picture, viewers) = state.withLock { state -> (EncodedPicture?, [Viewer]) in
            guard state.reading?.number == number else { return (nil, []) }
            let picture = EncodedPicture(
                bytes: ByteBuffer(bytes: file), sequence: state.sequence, size: frame.buffer.size,
                hostTime: frame.hostTime, encodedTime: .now)
            state.sequence &+= 1
            state.latest = picture
            return (picture, Array(state.viewers.values))
        }
        guard let picture else { return }
        delays.withLock { $0.record(from: picture.hostTime, to: picture.encodedTime) }
        for viewer in viewers { viewer.receive(picture) }
    }
}
