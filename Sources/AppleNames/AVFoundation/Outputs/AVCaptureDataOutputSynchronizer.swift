// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// Receives the media of an ``AVCaptureDataOutputSynchronizer``, on its queue and in order.
public protocol AVCaptureDataOutputSynchronizerDelegate: NSObjectProtocol {
    /// Receives the media that the outputs captured at about the same time.
    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

/// Delivers frames that several outputs captured at about the same time, in one call.
///
/// Each frame of the first output makes one collection, with the nearest frame of each other output. Their times differ
/// by at most half a frame at 30 frames per second. A collection waits for late frames for a tenth of a second. Frames
/// that arrive while the delegate is busy are dropped.
///
/// A running call of the delegate may end after the session was stopped. If the frames of the first output end, or a
/// camera fails, delivery continues at the next start of the session.
public final class AVCaptureDataOutputSynchronizer: NSObject, @unchecked Sendable {  // Its properties are Sendable.
    /// `@unchecked Sendable` is safe as that of ``VideoDelegateBridge``.
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureDataOutputSynchronizerDelegate)?
        var queue: DispatchQueue?
        var delivery: Task<Void, Never>?
        /// The format of the last frame of each output: consecutive frames have the same object.
        var formats: [CMFormatDescription?]
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    private let outputs: [AVCaptureVideoDataOutput]
    private let state: Lock<State>
    private let usualQueue = DispatchQueue(label: "obscura.avfoundation.synchronizer")

    /// Creates a synchronizer. Its delegate receives the frames of the outputs. The delegates of the outputs no longer
    /// do.
    ///
    /// - Parameter dataOutputs: outputs of video, which are retained. Other outputs are left out, and an error is
    ///   logged.
    public init(dataOutputs: [AVCaptureOutput]) {
        outputs = dataOutputs.compactMap { $0 as? AVCaptureVideoDataOutput }
        state = Lock(State(formats: outputs.map { _ in nil }))
        super.init()
        for output in dataOutputs where !(output is AVCaptureVideoDataOutput) {
            Self.logger.error("AVCaptureDataOutputSynchronizer: \(output) is not an output of video")
        }
        for output in outputs { output.synchronize(true) }
    }

    deinit {
        state.withLock { $0.delivery }?.cancel()
        for output in outputs { output.synchronize(false) }
    }

    /// The outputs. Each frame of the first output makes one collection.
    public var dataOutputs: [AVCaptureOutput] { outputs }
    /// The delegate.
    public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? { state.withLock { $0 }.delegate }
    /// The queue on which the delegate is called; nil for a queue of the synchronizer.
    public var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate, which is not retained.
    ///
    /// - Parameters:
    ///   - delegate: receives the frames; nil for none.
    ///   - delegateCallbackQueue: the serial queue on which the delegate is called; nil for a queue of the
    ///     synchronizer.
    public func setDelegate(
        _ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?, queue delegateCallbackQueue: DispatchQueue?
    ) {
        let delivery = delegate != nil && !outputs.isEmpty ? deliver() : nil
        let former = state.withLock { state in
            defer { (state.delegate, state.queue, state.delivery) = (delegate, delegateCallbackQueue, delivery) }
            return state.delivery
        }
        former?.cancel()
    }

    private func deliver() -> Task<Void, Never> {
        let outputs = outputs
        let synchronizer = CaptureSynchronizer(outputs: outputs.map(\.video))
        return Task { [weak self] in
            var events: AsyncStream<SessionEvent>.Iterator?
            var hasDelivered = true
            while !Task.isCancelled {
                // Before the question whether the session runs, so that no start is missed.
                events = events ?? outputs.first?.session?.events.makeAsyncIterator()
                guard events != nil || hasDelivered else { return }
                // A session that stops ends its outputs one after another: all begin together while it runs.
                var isWaiting = !hasDelivered
                while events != nil, isWaiting || outputs.first?.session?.isRunning != true {
                    guard await Self.starts(&events) else { return }
                    isWaiting = false
                }
                hasDelivered = false
                do {
                    for try await set in synchronizer.frameSets {
                        hasDelivered = true
                        await self?.pass(set.frames)
                    }
                } catch {
                    Self.logger.error("\(error)")
                }
            }
        }
    }

    /// Waits for the next start of a session. Returns false after the end of the session.
    private static func starts(_ events: inout AsyncStream<SessionEvent>.Iterator?) async -> Bool {
        while let event = await events?.next(isolation: #isolation) {
            if case .started = event { return true }
        }
        return false
    }

    /// Calls the delegate, and waits for its return.
    private func pass(_ frames: [VideoFrame?]) async {
        let state = state.withLock { $0 }
        guard let delegate = state.delegate else { return }
        let entries = zip(outputs, frames).enumerated().compactMap { index, entry in
            entry.1.map { (output: entry.0 as AVCaptureOutput, data: data($0, at: index)) }
        }
        let receiver = Receiver(delegate: delegate)
        await withCheckedContinuation { continuation in
            (state.queue ?? usualQueue).async { [self] in
                receiver.delegate.dataOutputSynchronizer(
                    self, didOutput: AVCaptureSynchronizedDataCollection(entries))
                continuation.resume()
            }
        }
    }

    private func data(_ frame: VideoFrame, at index: Int) -> AVCaptureSynchronizedData {
        let format = state.withLock { state in
            let format = CMFormatDescription.of(frame.buffer, last: state.formats[index])
            state.formats[index] = format
            return format
        }
        return AVCaptureSynchronizedSampleBufferData(CMSampleBuffer(frame, pixels: frame.buffer, format))
    }

    /// `@unchecked Sendable` is safe because the delegate is used on its queue only.
    private struct Receiver: @unchecked Sendable {
        let delegate: any AVCaptureDataOutputSynchronizerDelegate
    }
}
