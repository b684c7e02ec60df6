// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// One view of a camera: its size, image settings, frame rate, and frames.
///
/// Settings may be changed at any time, on any thread; a change applies from the next frame on.
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

    /// The name of the view, used in statistics and messages.
    public let name: String
    /// The output that delivers the frames of the view.
    public let output: PreviewOutput
    private let state: Lock<State>

    init(output: PreviewOutput, name: String, size: PixelSize?, gravity: VideoGravity, pixelFormat: PixelFormat?) {
        self.output = output
        self.name = name
        state = Lock(State(size: size, gravity: gravity, pixelFormat: pixelFormat))
    }

    /// The size of the view in pixels; nil uses the size of the camera's frames. With ``VideoGravity/resizeAspect`` one
    /// side of the frames may be smaller than the view, since no black bars are added.
    public var size: PixelSize? {
        get { state.withLock { $0.size } }
        set { state.withLock { $0.size = newValue } }
    }

    /// The fit of the image into a view with a different aspect ratio.
    public var gravity: VideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// The pixel format of the frames; nil uses the pixel format of the camera.
    public var pixelFormat: PixelFormat? {
        get { state.withLock { $0.pixelFormat } }
        set { state.withLock { $0.pixelFormat = newValue } }
    }

    /// The color space of YUV frames; nil keeps the color space of the camera.
    public var colorSpace: ColorSpace? {
        get { state.withLock { $0.colorSpace } }
        set { state.withLock { $0.colorSpace = newValue } }
    }

    /// Whether the image is mirrored horizontally; nil uses ``CaptureConnection/isMirrored`` of the output's
    /// connection.
    public var isMirrored: Bool? {
        get { state.withLock { $0.isMirrored } }
        set { state.withLock { $0.isMirrored = newValue } }
    }

    /// The minimum time between two delivered frames; nil delivers all frames. Frames in excess of this rate are
    /// skipped before any conversion.
    public var minFrameDuration: MediaTime? {
        get { state.withLock { $0.minFrameDuration } }
        set { state.withLock { $0.minFrameDuration = newValue } }
    }

    /// Whether the view is hidden. A hidden view gets no frames and causes no work. When the view is shown again, its
    /// first frame is a new frame, not a queued frame.
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

    /// The frames, for a `for try await` loop. Each loop is a separate reader.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError`` when the source fails or when frames cannot be converted to the settings of the view. Leaving
    /// the loop or cancelling its task detaches the reader at once.
    public var frames: VideoDataOutput.Frames {
        VideoDataOutput.Frames { [self] in
            ReaderLoop(owner: self, connection: output.connection, reader: makeReader())
        }
    }

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

    /// The request for each frame: the settings of the connection and of the view.
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
            // A new interval starts a new schedule.
            if pace?.interval != interval { pace = interval.map(RateLimit.init(interval:)) }
            return pace?.admits(time) ?? true
        }
    }
}
