// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// An output that delivers the frames of a session, unchanged or converted to a requested format.
///
/// Frames can be read in two ways, also at the same time: with a delegate on a queue of the caller, or with ``frames``,
/// an asynchronous sequence. Each delegate and each iteration is a separate reader with its own queue and statistics. A
/// slow reader affects neither other readers nor the camera, except with the policy ``LateFramePolicy/lossless(_:)``.
///
/// Thread-safe.
public final class VideoDataOutput: DataOutput, @unchecked Sendable {  // Its properties are a constant and a lock.
    private struct State {
        var request = ImageRequest()
        var leaseLimit: Int
        var isWriting: @Sendable () -> Bool = { false }
    }

    /// The source of the request for an image beside the camera's own; nil if readers get a single, upright image.
    private let imageRequest: (@Sendable () -> ImageRequest?)?
    private let state: Lock<State>

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - pixelFormat: The pixel format of the frames; nil uses the pixel format of the camera, without conversion.
    ///   - size: The size of the frames after rotation; nil keeps the size of the camera's frames.
    ///   - latePolicy: The handling of frames that arrive while a reader is busy.
    ///   - leaseLimit: The maximum number of frames that each reader may hold at once.
    public convenience init(
        name: String = "video", pixelFormat: PixelFormat? = nil, size: PixelSize? = nil,
        latePolicy: LateFramePolicy = .latest, leaseLimit: Int = 8
    ) {
        self.init(
            name: name, request: ImageRequest(pixelFormat: pixelFormat, size: size), latePolicy: latePolicy,
            leaseLimit: leaseLimit, imageRequest: nil)
    }

    /// Creates an output.
    ///
    /// - Parameter imageRequest: Returns the request for an image of each frame (``VideoFrame/readyImage``), which is
    ///   delivered with the source's own image; nil for none.
    package init(
        name: String, request: ImageRequest = ImageRequest(), latePolicy: LateFramePolicy, leaseLimit: Int = 8,
        imageRequest: (@Sendable () -> ImageRequest?)?
    ) {
        self.imageRequest = imageRequest
        state = Lock(State(request: request, leaseLimit: max(1, leaseLimit)))
        super.init(name: name, mediaType: .video, latePolicy: latePolicy)
    }

    /// The pixel format of the frames; nil uses the pixel format of the camera.
    public var pixelFormat: PixelFormat? {
        get { state.withLock { $0.request.pixelFormat } }
        set { update { $0.pixelFormat = newValue } }
    }

    /// The size of the frames after rotation; nil keeps the size that cropping and rotation produce.
    public var size: PixelSize? {
        get { state.withLock { $0.request.size } }
        set { update { $0.size = newValue } }
    }

    /// The fit of frames into a ``size`` with a different aspect ratio.
    public var fit: ImageRequest.Fit {
        get { state.withLock { $0.request.fit } }
        set { update { $0.fit = newValue } }
    }

    /// The part of the camera's image to use, in pixels before rotation; nil uses the whole image.
    public var crop: PixelRect? {
        get { state.withLock { $0.request.crop } }
        set { update { $0.crop = newValue } }
    }

    /// The interpolation of chroma when subsampled YUV, such as 4:2:0, is converted.
    public var chroma: ImageRequest.ChromaUpsampling {
        get { state.withLock { $0.request.chroma } }
        set { update { $0.chroma = newValue } }
    }

    /// The color space of YUV frames; nil keeps the color space of the camera.
    public var colorSpace: ColorSpace? {
        get { state.withLock { $0.request.colorSpace } }
        set { update { $0.colorSpace = newValue } }
    }

    /// The maximum number of frames that each reader may hold at once. After a change, a delegate or loop that already
    /// reads keeps the former limit.
    public var leaseLimit: Int {
        get { state.withLock { $0.leaseLimit } }
        set { state.withLock { $0.leaseLimit = max(1, newValue) } }
    }

    /// Whether the frames that readers hold are in the queue of a writer, which may wait for its destination without a
    /// time limit. Otherwise a lossless reader that holds its limit ends with an error. Applies to readers that begin
    /// after it is set.
    package var isWriting: @Sendable () -> Bool {
        get { state.withLock { $0.isWriting } }
        set { state.withLock { $0.isWriting = newValue } }
    }

    /// The frames, for a `for try await` loop. Each loop is a separate reader.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError`` when the source fails. Leaving the loop or cancelling its task detaches the reader at once.
    public var frames: Frames {
        Frames { [self] in ReaderLoop(owner: self, connection: connection, reader: makeReader("loop")) }
    }

    func makeReader(_ kind: String, onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }) -> FrameReader {
        let (name, policy) = nextReader(kind)
        return FrameReader(
            name: name, policy: policy, leaseLimit: leaseLimit, deliversUpright: imageRequest == nil,
            isWriting: isWriting, settings: { [weak self] in self?.request ?? ImageRequest() },
            imageRequest: imageRequest ?? { nil },
            settingsChanges: imageRequest == nil ? connection.settingsChanges : nil, onDrop: onDrop)
    }

    /// The request for the frames: the settings of the output and of the connection.
    private var request: ImageRequest {
        var request = state.withLock { $0.request }
        connection.complete(&request)
        return request
    }

    private func update(_ change: (inout ImageRequest) -> Void) {
        state.withLock { change(&$0.request) }
        connection.settingsChanges.add()
    }

    package override var checkedRequest: ImageRequest? { request }
}
