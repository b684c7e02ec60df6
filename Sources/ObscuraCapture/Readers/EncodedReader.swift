// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader of the compressed frames of a source, which it gets unchanged: its queue and its statistics.
///
/// An inter-coded frame is of use only with all frames since the last key frame. So the reader begins with a key frame,
/// and after each loss it continues with the next one.
final class EncodedReader: ConnectionReader {
    private struct State {
        var epoch: UInt64 = 0
        /// Why frames are left out until the next key frame; nil while none is missing.
        var omission: Omission? = .joined
        var waiter: (@Sendable () -> Void)?
        var failure: ObscuraError?
    }

    private enum Omission {
        /// The stream was joined in its middle, or the connection was disabled.
        case joined
        case lost(DropReason)
    }

    let name: String
    let queue: FrameQueue<RoutedFrame>
    let stages = StageRecorder()
    /// Zero, since compressed frames have their own memory.
    let bufferCount = 0
    let onDrop: @Sendable (DroppedFrame) -> Void
    private let state = Lock(State())

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - onDrop: Called for each dropped frame, on any thread; must not block.
    init(
        name: String, policy: LateFramePolicy, onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }
    ) {
        self.name = name
        self.onDrop = onDrop
        let owner = Lock(WeakReader())
        // Compressed frames do not use the source's pool, so a reader may hold any number of them.
        queue = FrameQueue(policy: policy, leaseLimit: .max) {
            owner.withLock { $0.reader }?.wake()
        }
        owner.withLock { [weak self] in $0.reader = self }
    }

    private struct WeakReader {
        weak var reader: EncodedReader?
    }

    // MARK: The source's side

    /// Queues a frame; blocks with a lossless policy while the queue is full.
    func receive(_ routed: RoutedFrame) {
        guard case .encoded(let frame) = routed.content else { return refuse(routed) }
        var routed = routed
        routed.content = .encoded(frame.withoutImages)
        guard frame.format.isInterCoded else { return enqueue(routed) }
        let notes = frame.attachments
        let omission = state.withLock { state -> Omission? in
            // The queue refuses a frame of another epoch, which says nothing of the current stream.
            guard routed.epoch == state.epoch else { return nil }
            if frame.isKeyFrame {
                state.omission = nil
            } else if state.omission == nil, notes.gap > 0 || notes.isDiscontinuity {
                state.omission = .lost(.deviceError)
            } else if state.omission == nil, !isLossless, queue.isFull {
                state.omission = .lost(.late)
            }
            return state.omission
        }
        switch omission {
        case .joined?: skip()
        case .lost(let reason)?:
            lose(
                DroppedFrame(
                    sequence: routed.sequence, presentationTime: routed.presentationTime, reason: reason, count: 1))
        case nil:
            if !isLossless, queue.isFull { dropOldestGroup(routed.epoch) }
            enqueue(routed)
        }
    }

    /// Makes room: drops the oldest frame, and those that need it, up to the next key frame.
    private func dropOldestGroup(_ epoch: UInt64) {
        let group = queue.dropFirst(.late, epoch: epoch) { routed in
            if case .encoded(let frame) = routed.content { frame.isKeyFrame } else { true }
        }
        for older in group { report(older, .late) }
    }

    /// Ends the reader: the source delivers pixels.
    private func refuse(_ routed: RoutedFrame) {
        let format = if case .pixels(let frame) = routed.content { frame.buffer.format.rawValue } else { "" }
        let isCurrent = state.withLock { state in
            if routed.epoch == state.epoch { state.failure = .notCompressed(name, format) }
            return routed.epoch == state.epoch
        }
        if isCurrent { close() } else { enqueue(routed) }
    }

    /// Leaves out the frames until the next key frame, because the device lost one.
    func breakChain() {
        state.withLock { $0.omission = $0.omission ?? .lost(.deviceError) }
    }

    /// Skips a frame, and those that need it.
    func skipToKeyFrame() {
        state.withLock { $0.omission = $0.omission ?? .joined }
        skip()
    }

    func finish(throwing error: ObscuraError?) { queue.finish(throwing: error) }

    func enter(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        _ = queue.begin(epoch: epoch)
    }

    func begin(epoch: UInt64) {
        state.withLock { state in
            state.epoch = epoch
            state.omission = .joined
        }
        for frame in queue.begin(epoch: epoch) { report(frame, .discontinuity) }
        wake()
    }

    func isCurrent(_ epoch: UInt64) -> Bool {
        state.withLock { $0.epoch == epoch }
    }

    func close() {
        queue.close()
        wake()
    }

    // MARK: The reader's side

    func whenReady(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiter = body }
        wake()
    }

    func takeReady() -> Ready<EncodedFrame> {
        if let failure = state.withLock({ $0.failure }) { return .ended(failure) }
        switch queue.take() {
        case .element(let routed):
            guard case .encoded(let frame) = routed.content else { return .nothing }
            if let dequeueTime = frame.attachments.dequeueTime {
                stages.record(.capture, from: frame.hostTime, to: dequeueTime)
            }
            stages.record(.queue, from: routed.arrival, to: .now)
            return .element(frame, epoch: routed.epoch)
        case .nothing: return .nothing
        case .ended(let error):
            return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
        }
    }

    /// Calls the waiter if there is something to take.
    private func wake() {
        let waiter = state.withLock { state -> (@Sendable () -> Void)? in
            if state.failure == nil, case .nothing = queue.peek() { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?()
    }
}

extension ObscuraError {
    fileprivate static func notCompressed(_ reader: String, _ format: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: reader,
            reason: "the source delivers pixels (\(format)), not compressed frames",
            advice: "Choose a compressed format of the camera, or compress the frames with VideoEncoder.")
    }
}
