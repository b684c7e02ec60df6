// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// One view of a camera: how large, in which shape, how often, and the frames that it shows.
///
/// All settings may be changed at any time, on any thread; they hold from the next frame on.
///
/// Thread-safe.
public final class PreviewSubscription: Sendable {
    private struct State {
        var size: PixelSize?
        var gravity: VideoGravity
        var pixelFormat: PixelFormat?
        var colorSpace: ColorSpace?
        var isMirrored: Bool?
        var minFrameDuration: MediaTime?
        var isHidden = false
        var readers: [WeakReader] = []
        var readerCount = 0
    }

    private struct WeakReader {
        weak var reader: FrameReader?
    }

    /// The name of the view, for accounts and messages.
    public let name: String
    /// Whose view it is.
    public let output: PreviewOutput
    private let state: Lock<State>

    init(output: PreviewOutput, name: String, size: PixelSize?, gravity: VideoGravity, pixelFormat: PixelFormat?) {
        self.output = output
        self.name = name
        state = Lock(State(size: size, gravity: gravity, pixelFormat: pixelFormat))
    }

    /// The size of the view in pixels; nil takes that of the camera. With ``VideoGravity/resizeAspect`` the frames may
    /// be smaller on one side: they have no empty bars.
    public var size: PixelSize? {
        get { state.withLock { $0.size } }
        set { state.withLock { $0.size = newValue } }
    }

    /// How the picture is shown where the view has another shape.
    public var gravity: VideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// The format of the frames; nil takes the camera's own.
    public var pixelFormat: PixelFormat? {
        get { state.withLock { $0.pixelFormat } }
        set { state.withLock { $0.pixelFormat = newValue } }
    }

    /// The colour space of YUV frames; nil keeps the camera's.
    public var colorSpace: ColorSpace? {
        get { state.withLock { $0.colorSpace } }
        set { state.withLock { $0.colorSpace = newValue } }
    }

    /// Whether left and right change places; nil does as the output's connection.
    public var isMirrored: Bool? {
        get { state.withLock { $0.isMirrored } }
        set { state.withLock { $0.isMirrored = newValue } }
    }

    /// A limit of the rate, kept before any conversion: frames that come sooner after the last one are skipped. Nil
    /// lets all pass.
    public var minFrameDuration: MediaTime? {
        get { state.withLock { $0.minFrameDuration } }
        set { state.withLock { $0.minFrameDuration = newValue } }
    }

    /// Whether nobody can see it: then it gets no frames, and nothing is made for it. Once it is seen again, the first
    /// frame is a fresh one.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set {
            let readers = state.withLock { state in
                state.isHidden = newValue
                return state.readers.compactMap(\.reader)
            }
            if newValue { readers.forEach { $0.queue.skipWaiting() } }
        }
    }

    /// The frames, for a `for try await` loop. Each loop is a reader of its own.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source is at its end, and throws
    /// ``ObscuraError`` when the source fails or when no frame can be what the view asks for. Leaving the loop or
    /// cancelling its task detaches the reader at once.
    public var frames: Frames { Frames(view: self) }

    func makeReader() -> FrameReader {
        let pace = Lock<RateLimit?>(nil)
        let number = state.withLock { state in
            state.readerCount += 1
            return state.readerCount
        }
        let reader = FrameReader(
            name: number == 1 ? name : "\(name) loop \(number)", policy: .latest, leaseLimit: 4,
            settings: { [weak self] in self?.request ?? ImageRequest() },
            admits: { [weak self] time in self?.admits(time, pace) ?? false })
        state.withLock { state in
            state.readers.removeAll { $0.reader == nil }
            state.readers.append(WeakReader(reader: reader))
        }
        return reader
    }

    /// What is asked of each frame: the connection's settings and the view's.
    private var request: ImageRequest {
        let state = state.withLock { $0 }
        var request = ImageRequest(pixelFormat: state.pixelFormat, size: state.size)
        request.fit = state.gravity.fit
        request.colorSpace = state.colorSpace
        output.connection.complete(&request)
        if let isMirrored = state.isMirrored { request.isMirrored = isMirrored }
        return request
    }

    private func admits(_ time: MediaTime, _ pace: Lock<RateLimit?>) -> Bool {
        let (isHidden, interval) = state.withLock { ($0.isHidden, $0.minFrameDuration) }
        guard !isHidden else { return false }
        return pace.withLock { pace in
            // A new limit begins a new schedule.
            if pace?.interval != interval { pace = interval.map(RateLimit.init(interval:)) }
            return pace?.admits(time) ?? true
        }
    }
}

extension PreviewSubscription {
    /// The frames of a view as an asynchronous sequence; each iteration is a reader of its own.
    public struct Frames: AsyncSequence, Sendable {
        /// One frame after the other.
        public typealias Element = VideoFrame
        /// What the source says when it fails.
        public typealias Failure = ObscuraError

        let view: PreviewSubscription

        /// A new reader of the view.
        public func makeAsyncIterator() -> Iterator {
            let output = view.output
            return Iterator(
                view: view,
                loop: ReaderLoop(output: output, connection: output.connection, reader: view.makeReader()))
        }

        /// One reader. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            /// Kept for as long as it is read: its settings are asked for each frame.
            let view: PreviewSubscription
            let loop: ReaderLoop<FrameReader>

            /// The newest frame there is. Asking says that the frame before is done with.
            ///
            /// - Returns: nil when the session stopped, the source is at its end, or the task was cancelled.
            /// - Throws: ``ObscuraError`` when the source failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }

            /// The same, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }
        }
    }
}
