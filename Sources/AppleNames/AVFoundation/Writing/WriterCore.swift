// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The state of a writer, which it shares with its inputs.
///
///     unknown ──start──► writing ──finish──► completed
///        │                  ├── error or wrong use ──► failed
///        └─────cancel───────┴──► cancelled
///
/// Thread-safe. Blocks that supply samples are called without the lock.
final class WriterCore: Sendable {
    struct Track: Sendable {
        /// The orientation of the frames.
        var orientation = FrameOrientation.upright
        var request: MediaRequest?
        /// Whether the block is being called, or will be.
        var isRequested = false
    }

    struct State: Sendable {
        var status = AVAssetWriterStatus.unknown
        var error: ObscuraError?
        /// The writer; nil before the start and after the end.
        var writer: AssetWriter?
        var isFinishing = false
        var completions: [@Sendable () -> Void] = []
        var readiness = WriterReadiness()
        var tracks: [Track] = []
        /// Blocks that are no longer needed.
        fileprivate var released: [MediaRequest] = []
    }

    /// An input at the start of the movie.
    struct Plan: Sendable {
        let track: MovieTrack
        let orientation: FrameOrientation
        let isRealTime: Bool
    }

    /// The path of the movie.
    let path: String
    private let state = Lock(State())

    init(path: String) {
        self.path = path
    }

    var status: AVAssetWriterStatus { withState { $0.status } }
    var error: ObscuraError? { withState { $0.error } }

    func withState<R>(_ body: (inout State) -> R) -> R {
        let (result, released) = state.withLock { state in
            let result = body(&state)
            defer { state.released = [] }
            return (result, state.released)
        }
        // Not with the lock: the last reference to an object may go with a block, and its `deinit` may use the writer.
        withExtendedLifetime(released) {}
        return result
    }

    // MARK: Errors

    func invalidState(_ reason: String) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: path, reason: reason)
    }

    func fail(_ error: ObscuraError) {
        withState { $0.fail(error) }
    }

    // MARK: The start

    /// Adds a track, and returns its index; nil after the start.
    func addTrack(_ mediaType: AVMediaType) -> Int? {
        withState { state in
            guard state.status == .unknown else { return nil }
            state.tracks.append(Track())
            state.readiness.tracks.append(WriterReadiness.Track(isVideo: mediaType == .video))
            return state.tracks.count - 1
        }
    }

    /// Creates the movie. Returns false if the writer fails, or has ended.
    ///
    /// - Parameter plans: the inputs in the order of the tracks, or the reason why a movie cannot have them.
    func start(_ container: MovieContainer, _ plans: Result<[Plan], ObscuraError>, metadata: Metadata) -> Bool {
        withState { state in
            guard state.status == .unknown else {
                if state.status == .writing { state.fail(invalidState("startWriting() was called twice")) }
                return false
            }
            var options = AssetWriter.Options()
            options.metadata = metadata
            // One more than an input may use, so that an append after `isReady` never finds the queue full.
            options.queueDepth = WriterReadiness.frameLimit + 1
            do throws(ObscuraError) {
                let plans = try plans.get()
                guard !plans.isEmpty else { throw invalidState("startWriting() was called without an input") }
                for (index, plan) in plans.enumerated() {
                    state.tracks[index].orientation = plan.orientation
                    let isRequested = state.tracks[index].request != nil
                    state.readiness.tracks[index].isRealTime = plan.isRealTime && !isRequested
                }
                state.writer = try AssetWriter(
                    path: path, container: container, tracks: plans.map(\.track), options: options)
                state.status = .writing
                return true
            } catch {
                state.fail(error)
                return false
            }
        }
    }

    // MARK: Segments

    func startSession(at time: CMTime) {
        change("startSession(atSourceTime:)") { writer, state throws(ObscuraError) in
            guard let time = time.mediaTime else {
                throw invalidState("the time of startSession(atSourceTime:) is not a number")
            }
            try writer.startSession(at: time)
            state.readiness.startSession(at: time)
        }
        runRequests()
    }

    func endSession(at time: CMTime) {
        change("endSession(atSourceTime:)") { writer, state throws(ObscuraError) in
            guard let time = time.mediaTime else {
                throw invalidState("the time of endSession(atSourceTime:) is not a number")
            }
            try writer.endSession(at: time)
            state.readiness.endSession()
        }
    }

    /// Fails unless the writer is writing.
    private func change(_ call: String, _ body: (AssetWriter, inout State) throws(ObscuraError) -> Void) {
        withState { state in
            guard let writer = state.writer, state.status == .writing, !state.isFinishing else {
                return state.fail(invalidState("\(call) was called while the writer was not writing"))
            }
            do throws(ObscuraError) {
                try body(writer, &state)
            } catch {
                state.fail(error)
            }
        }
    }

    // MARK: Samples

    func isReady(_ index: Int) -> Bool {
        withState { $0.isReady(index) }
    }

    /// Appends a sample. Blocks while the queue of the encoder is full, unless the track is one of real-time media.
    func append(_ sample: MediaSample, to index: Int) -> Bool {
        let target = withState { state -> (writer: AssetWriter, orientation: FrameOrientation, isRealTime: Bool)? in
            guard state.status != .unknown else {
                state.fail(invalidState("a sample was appended before startWriting()"))
                return nil
            }
            guard state.status == .writing, !state.isFinishing, !state.readiness.tracks[index].isFinished else {
                return nil
            }
            guard state.readiness.start != nil else {
                state.fail(invalidState("a sample was appended outside of a session; call startSession(atSourceTime:)"))
                return nil
            }
            return state.writer.map {
                ($0, state.tracks[index].orientation, state.readiness.tracks[index].isRealTime)
            }
        }
        guard let target else { return false }
        do throws(ObscuraError) {
            let sample = target.orientation.applied(to: sample)
            guard try target.writer.append(sample, to: index, until: target.isRealTime ? .now : nil) else {
                return false
            }
        } catch {
            fail(error)
            return false
        }
        withState { $0.readiness.note(sample, of: index) }
        runRequests()
        return true
    }

    func markAsFinished(_ index: Int) {
        withState { state in
            state.readiness.tracks[index].isFinished = true
            state.setRequest(nil, of: index)
        }
        runRequests()
    }
}

extension WriterCore.State {
    /// Sets an error, which ends the writer. The error of a movie that is being finished is that of finishing.
    mutating func fail(_ error: ObscuraError) {
        guard status == .unknown || status == .writing, !isFinishing else { return }
        end(.failed)
        self.error = error
    }

    mutating func end(_ status: AVAssetWriterStatus) {
        self.status = status
        // They refer to the inputs.
        for index in tracks.indices { setRequest(nil, of: index) }
    }

    mutating func setRequest(_ request: MediaRequest?, of index: Int) {
        if let old = tracks[index].request { released.append(old) }
        tracks[index].request = request
    }

    func isReady(_ index: Int) -> Bool {
        guard status == .writing, !isFinishing, let writer else { return false }
        return readiness.isReady(index, waiting: writer.progress.waitingCount)
    }
}
