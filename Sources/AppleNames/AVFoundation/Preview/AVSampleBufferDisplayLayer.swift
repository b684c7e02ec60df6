// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Whether a layer can show its samples.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// No sample was shown yet.
    case unknown = 0
    case rendering = 1
    /// A sample could not be shown.
    case failed = 2
}

/// A layer that shows the pictures of samples at their times: on the clock of the machine, and at once if that time has
/// passed, as it has for the samples of a camera.
public final class AVSampleBufferDisplayLayer: CALayer, @unchecked Sendable {  // Its properties are Sendable.
    private struct State {
        var gravity = AVLayerVideoGravity.resizeAspect
        /// In the order in which they were added.
        var waiting: [CMSampleBuffer] = []
        /// Counts the flushes: a timer of an earlier one shows nothing.
        var flushes = 0
        var isScheduled = false
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var failure: ObscuraError?
    }

    /// As many samples as may wait.
    private static let depth = 16

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.avfoundation.display")

    /// Creates a layer.
    override public init() { super.init() }

    /// The fit of the picture into the layer. Initially `resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// Whether more samples can wait: 16 can.
    public var isReadyForMoreMediaData: Bool { state.withLock { $0.waiting.count < Self.depth } }

    /// Whether samples are shown.
    public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
    /// The error of a layer that has failed; nil after ``flush()``.
    public var error: (any Error)? { state.withLock { $0.failure }.map { AVError($0) } }

    /// Adds a sample, which is shown at its presentation time. If too many wait, the oldest one is not shown. Ignored
    /// after a failure, until ``flush()``.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) {
        let isFirst = state.withLock { state in
            guard state.status != .failed else { return false }
            if state.waiting.count >= Self.depth { state.waiting.removeFirst() }
            state.waiting.append(sampleBuffer)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule() }
    }

    /// Discards the samples that wait, and ends a failure. The picture stays.
    public func flush() {
        state.withLock { state in
            state.waiting = []
            state.flushes += 1
            state.isScheduled = false
            state.status = .unknown
            state.failure = nil
        }
    }

    /// Discards the samples that wait and the picture, and ends a failure.
    public func flushAndRemoveImage() {
        flush()
        show(nil)
    }

    /// Shows the samples that are due, and waits for the next one.
    private func schedule() {
        let now = CMClock.hostTimeClock.time
        let (next, flushes) = state.withLock { state in
            (state.waiting.first?.presentationTimeStamp, state.flushes)
        }
        guard let next else { return }
        let wait = next.isDue(at: now) ? 0 : (next - now).seconds
        queue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.showDue(flushes) }
    }

    private func showDue(_ flushes: Int) {
        let now = CMClock.hostTimeClock.time
        let (sample, gravity, isMore) = state.withLock { state in
            guard state.flushes == flushes else { return (nil as CMSampleBuffer?, state.gravity, false) }
            let due = state.waiting.prefix { $0.presentationTimeStamp.isDue(at: now) }
            state.waiting.removeFirst(due.count)
            state.isScheduled = !state.waiting.isEmpty
            return (due.last, state.gravity, state.isScheduled)
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
                state.isScheduled = false
            }
        }
    }
}

extension CMTime {
    /// Whether a sample with this time is shown now. A time that is no number is now.
    fileprivate func isDue(at now: CMTime) -> Bool { !isNumeric || self <= now }
}
