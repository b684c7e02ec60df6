// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Hands out the frames of a session as they are, or as asked for.
///
/// Two ways to read, at the same time if need be: a delegate on a queue of the caller's, or ``frames``,
/// an asynchronous sequence. Each delegate and each iteration is a reader of its own, with a mailbox and
/// an account of its own; none can slow another, or the camera.
///
/// Thread-safe.
public final class VideoDataOutput: CaptureOutput, SessionOutput {
    private struct State {
        var request = ImageRequest()
        var lateFrames: LateFramePolicy
        var leaseLimit: Int
        var iterations = 0
    }

    /// The name of the output, for accounts and messages.
    public let name: String
    /// Its link to an input, with the turn, the mirror and the limits of the rate.
    public let connection: CaptureConnection
    /// The image that readers get beside the source's own picture; nil if they get one upright picture.
    private let imageRequest: (@Sendable () -> ImageRequest?)?
    private let state: Lock<State>
    let delegateSlot = DelegateSlot<FrameReader>()

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - pixelFormat: the format of the frames; nil takes the camera's own, without any work.
    ///   - size: the size of the frames after turning; nil keeps the camera's.
    ///   - lateFrames: what happens to frames that come while a reader is busy.
    ///   - leaseLimit: how many frames each reader may hold at once.
    public convenience init(
        name: String = "video", pixelFormat: PixelFormat? = nil, size: PixelSize? = nil,
        lateFrames: LateFramePolicy = .latest, leaseLimit: Int = 8
    ) {
        self.init(
            name: name, request: ImageRequest(pixelFormat: pixelFormat, size: size), lateFrames: lateFrames,
            leaseLimit: leaseLimit, imageRequest: nil)
    }

    /// - Parameter imageRequest: delivers the source's own picture, as it is turned, and beside it the image that this
    ///   returns for each frame (``VideoFrame/readyImage``); none if it returns nil.
    package init(
        name: String, request: ImageRequest = ImageRequest(), lateFrames: LateFramePolicy, leaseLimit: Int = 8,
        imageRequest: (@Sendable () -> ImageRequest?)?
    ) {
        self.name = name
        connection = CaptureConnection(outputName: name, mediaType: .video)
        self.imageRequest = imageRequest
        state = Lock(State(request: request, lateFrames: lateFrames, leaseLimit: max(1, leaseLimit)))
    }

    /// The format of the frames; nil takes the camera's own.
    public var pixelFormat: PixelFormat? {
        get { state.withLock { $0.request.pixelFormat } }
        set { state.withLock { $0.request.pixelFormat = newValue } }
    }

    /// The size of the frames after turning; nil keeps the camera's.
    public var size: PixelSize? {
        get { state.withLock { $0.request.size } }
        set { state.withLock { $0.request.size = newValue } }
    }

    /// How frames meet a ``size`` of another shape.
    public var fit: ImageRequest.Fit {
        get { state.withLock { $0.request.fit } }
        set { state.withLock { $0.request.fit = newValue } }
    }

    /// The part of the camera's picture to take, in its own pixels, before turning.
    public var crop: PixelRect? {
        get { state.withLock { $0.request.crop } }
        set { state.withLock { $0.request.crop = newValue } }
    }

    /// How colour is spread over the pixels that share it.
    public var chroma: ImageRequest.ChromaUpsampling {
        get { state.withLock { $0.request.chroma } }
        set { state.withLock { $0.request.chroma = newValue } }
    }

    /// The colour space of YUV frames; nil keeps the camera's.
    public var colorSpace: ColorSpace? {
        get { state.withLock { $0.request.colorSpace } }
        set { state.withLock { $0.request.colorSpace = newValue } }
    }

    /// What happens to frames that come while a reader is busy. For readers that begin after the change.
    public var lateFrames: LateFramePolicy {
        get { state.withLock { $0.lateFrames } }
        set { state.withLock { $0.lateFrames = newValue } }
    }

    /// How many frames each reader may hold at once. For readers that begin after the change.
    public var leaseLimit: Int {
        get { state.withLock { $0.leaseLimit } }
        set { state.withLock { $0.leaseLimit = max(1, newValue) } }
    }

    /// The frames, for a `for try await` loop. Each loop is a reader of its own.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source is at its end,
    /// and throws ``ObscuraError`` when the source fails. Leaving the loop or cancelling its task detaches
    /// the reader at once.
    public var frames: Frames { Frames(output: self) }

    func makeReader(_ kind: String, onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }) -> FrameReader {
        let (policy, limit, number) = state.withLock { state in
            state.iterations += 1
            return (state.lateFrames, state.leaseLimit, state.iterations)
        }
        return FrameReader(
            name: "\(name) \(kind) \(number)", policy: policy, leaseLimit: limit,
            deliversUpright: imageRequest == nil,
            settings: { [weak self] in self?.request ?? ImageRequest() }, imageRequest: imageRequest ?? { nil },
            onDrop: onDrop)
    }

    /// What is asked of each frame: the output's settings and the connection's.
    private var request: ImageRequest {
        var request = state.withLock { $0.request }
        connection.complete(&request)
        return request
    }
}

// MARK: - The session's side

extension VideoDataOutput {
    /// The one connection that it has.
    public var connections: [CaptureConnection] { [connection] }

    package var checkedRequest: ImageRequest? { request }

    package func sessionWillStop() -> [any RunningCallback] {
        let callbacks = delegateSlot.pause()
        for reader in connection.readers { connection.detach(reader) }
        connection.renew()
        return callbacks
    }

    /// The source is about to begin again: loops that begin from now on wait for it, also after its end.
    package func awaitStart() {
        connection.renew()
    }

    package func sessionWillStart() {
        // Before the connection renews its readers: one that ended without a frame would live on, and be closed by
        // the callback that still tells of that end.
        delegateSlot.closeIfEnded()
        connection.renew()
        delegateSlot.open()
    }
}
