// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Makes images of the video of a movie. Thread-safe; changes of the properties apply to later requests.
public final class AVAssetImageGenerator: NSObject, Sendable {
    /// The result of a request.
    public enum Result: Int, Sendable {
        /// The image was made.
        case succeeded
        /// The image could not be made.
        case failed
        /// The request was cancelled.
        case cancelled
    }

    /// The movie.
    public let asset: AVAsset
    private let requests: ImageRequests
    private let state = Lock(ImageRequests.Settings())

    /// Creates a generator. Nothing is opened yet.
    public init(asset: AVAsset) {
        self.asset = asset
        requests = ImageRequests(asset.source)
        super.init()
    }

    // MARK: Settings

    /// Whether images are upright; see ``AVAssetTrack/preferredTransform``. False by default.
    public var appliesPreferredTrackTransform: Bool {
        get { state.withLock { $0.form.isUpright } }
        set { state.withLock { $0.form.isUpright = newValue } }
    }

    /// The maximum size of images, in pixels. Larger images are scaled down, with the same aspect ratio. A width or
    /// height of 0, the default, is not limited.
    public var maximumSize: CGSize {
        get { state.withLock { $0.form.maximumSize } }
        set { state.withLock { $0.form.maximumSize = newValue } }
    }

    /// The maximum time by which a frame may be earlier than requested. By default, there is no limit, and the image is
    /// the key frame before the requested time. With zero, the image is the frame that is shown at the requested time.
    public var requestedTimeToleranceBefore: CMTime {
        get { state.withLock { $0.before } }
        set { state.withLock { $0.before = newValue } }
    }

    /// The maximum time by which a frame may be later than requested, if there is no frame before. No limit by default.
    public var requestedTimeToleranceAfter: CMTime {
        get { state.withLock { $0.after } }
        set { state.withLock { $0.after = newValue } }
    }

    // MARK: Images

    /// Returns the image at a time. Blocks while the movie is read.
    ///
    /// - Parameter actualTime: receives the time of the frame.
    /// - Throws: an `ObscuraError` if the movie cannot be read, or has no frame at the time.
    public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
        let (image, time) = try requests.image(at: requestedTime, settings)
        actualTime?.pointee = time
        return image
    }

    /// Returns the image at a time, and the time of the frame. The movie is read on another thread. If the task is
    /// cancelled, or ``cancelAllCGImageGeneration()`` is called, this function throws without waiting for the image.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read, or has no frame at the time.
    public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        let control = ReadControl()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                requests.request(at: time, settings, control) { continuation.resume(with: $0) }
            }
        } onCancel: {
            control.cancel()
        }
    }

    /// Makes an image on another thread.
    ///
    /// - Parameter handler: called on that thread, with the image and the time of the frame, or an `ObscuraError`.
    @preconcurrency
    public func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        requests.request(at: requestedTime, settings) { result in
            switch result {
            case .success(let (image, time)): handler(image, time, nil)
            case .failure(let error): handler(nil, .invalid, error)
            }
        }
    }

    /// Makes images on another thread, one after the other.
    ///
    /// - Parameters:
    ///   - requestedTimes: values that are created by `NSValue(time:)`.
    ///   - handler: called on that thread, once for each time, in order. The parameters are the requested time, the
    ///     image, the time of the frame, the result and, if the result is `failed`, an `ObscuraError`.
    @preconcurrency
    public func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        let settings = settings
        for requested in requestedTimes.map(\.timeValue) {
            requests.request(at: requested, settings) { result in
                switch result {
                case .success(let (image, time)): handler(requested, image, time, .succeeded, nil)
                case .failure(let error) where error.isCancellation:
                    handler(requested, nil, .invalid, .cancelled, nil)
                case .failure(let error): handler(requested, nil, .invalid, .failed, error)
                }
            }
        }
    }

    /// Cancels all requested images that have not been delivered yet.
    public func cancelAllCGImageGeneration() {
        requests.cancelAll()
    }

    private var settings: ImageRequests.Settings { state.withLock { $0 } }
}

/// Receives the requested time, the image, the time of the frame, the result and the error.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void
