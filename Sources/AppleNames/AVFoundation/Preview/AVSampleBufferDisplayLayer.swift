// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The status of a layer that shows samples.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// No sample was shown yet.
    case unknown = 0
    case rendering = 1
    /// A sample could not be shown.
    case failed = 2
}

/// A layer that shows each sample at its presentation time, on the clock of the machine. If this time has passed, as
/// for the samples of a camera, the sample is shown immediately.
public final class AVSampleBufferDisplayLayer: CALayer, @unchecked Sendable {  // Its properties are Sendable.
    private struct State {
        var gravity = AVLayerVideoGravity.resizeAspect
        /// In the order in which they were added.
        var waiting: [CMSampleBuffer] = []
        /// Counts the timers: only the last one shows something.
        var timers = 0
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var failure: ObscuraError?
    }

    /// As many samples as may wait.
    private static let depth = 16

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.avfoundation.display")

    /// Creates a layer.
    override public init() { super.init() }

    /// The fit of frames into the layer. Initially `resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// Whether fewer than 16 samples wait, which is the limit.
    public var isReadyForMoreMediaData: Bool { state.withLock { $0.waiting.count < Self.depth } }

    /// Whether samples are shown, or the layer has failed.
    public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
    /// The error of a layer that has failed; nil after ``flush()``.
    public var error: (any Error)? { state.withLock { $0.failure }.map { AVError($0) } }

    /// Adds a sample, which is shown at its presentation time. If too many samples wait, the oldest one is discarded.
    /// After a failure, samples are ignored until ``flush()``.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) {
        let isWaiting = state.withLock { state in
            guard state.status != .failed else { return false }
            if state.waiting.count >= Self.depth { state.waiting.removeFirst() }
            state.waiting.append(sampleBuffer)
            return true
        }
        if isWaiting { schedule() }
    }

    /// Discards the samples that wait, and clears a failure. The image stays visible.
    public func flush() {
        state.withLock { state in
            state.waiting = []
            state.timers += 1
            state.status = .unknown
            state.failure = nil
        }
    }

    /// Discards the samples that wait and the image, and clears a failure.
    public func flushAndRemoveImage() {
        flush()
        show(nil)
    }

    /// Waits for the sample with the earliest time.
    private func schedule() {
        let now = CMClock.hostTimeClock.time
        let (wait, timer) = state.withLock { state in
            state.timers += 1
            let waits = state.waiting.map { sample in
                sample.presentationTimeStamp.isDue(at: now) ? 0 : (sample.presentationTimeStamp - now).seconds
            }
            return (waits.min(), state.timers)
        }
        guard let wait else { return }
        queue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.showDue(timer) }
    }

    /// Shows the last of the samples that are due, and waits for the next one.
    private func showDue(_ timer: Int) {
        let now = CMClock.hostTimeClock.time
        let (sample, gravity, isMore) = state.withLock { state in
            guard state.timers == timer else { return (nil as CMSampleBuffer?, state.gravity, false) }
            let last = state.waiting.last { $0.presentationTimeStamp.isDue(at: now) }
            state.waiting.removeAll { $0.presentationTimeStamp.isDue(at: now) }
            return (last, state.gravity, !state.waiting.isEmpty)
        }
        if let picture = sample?.imageBuffer?.picture, !isHidden { draw(picture, gravity) }
        if isMore { schedule() }
    }

    private func draw(_ picture: PixelBuffer, _ gravity: AVLayerVideoGravity) {
        var request = ImageRequest(pixelFormat: .bgra)
        request.size = pixelSize.map { PixelSize(width: $0.width, height: $0.height) }
        request.fit = gravity.gravity.fit
        do {
            let image = CGImage(try ImageTransformer.transform(picture, request))
            state.withLock { $0.status = .rendering }
            show(image)
        } catch {
            let failure = ObscuraError(
                wrapping: error, as: .capture, .codecFailed, subject: "AVSampleBufferDisplayLayer")
            state.withLock { state in
                state.status = .failed
                state.failure = failure
                state.waiting = []
            }
        }
    }
}

extension CMTime {
    /// Whether a sample with this time is shown now. A time that is no number is now.
    fileprivate func isDue(at now: CMTime) -> Bool { !isNumeric || self <= now }
}
