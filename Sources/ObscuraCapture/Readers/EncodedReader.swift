// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader of the compressed frames of a source, which it gets unchanged: its queue and its statistics.
///
/// An inter-coded frame is of use only with all frames since the last key frame. So the reader begins with a key frame,
/// and after each loss it continues with the next one.
final class EncodedReader: QueuedReader {
    typealias Item = RoutedFrame
    typealias Element = EncodedFrame

    /// The frames of one epoch, each of which needs those before it.
    private struct Chain {
        var epoch: UInt64 = 0
        /// Why frames are left out until the next key frame; nil while none is missing.
        var omission: Omission? = .joined
    }

    private enum Omission {
        /// The stream was joined in its middle, or the connection was disabled.
        case joined
        case lost(DropReason)
    }

    let line: ReaderQueue<RoutedFrame>
    private let chain = Lock(Chain())

    let isPrompt: Bool

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - isPrompt: Whether the reader needs each element when it arrives.
    ///   - onDrop: Called for each dropped frame, on any thread; must not block.
    init(
        name: String, policy: LateFramePolicy, isPrompt: Bool = true,
        onDrop: @escaping @Sendable (DroppedFrame) -> Void
    ) {
        self.isPrompt = isPrompt
        line = ReaderQueue(name: name, policy: policy, onDrop: onDrop)
    }

    // MARK: The source's side

    /// Queues a frame; blocks with a lossless policy while the queue is full.
    func receive(_ routed: RoutedFrame) {
        guard case .encoded(let frame) = routed.content else { return refuse(routed) }
        guard frame.format.isInterCoded else { return queueCopy(of: frame, routed) }
        let notes = frame.attachments
        let omission = chain.withLock { chain -> Omission? in
            // The queue refuses a frame of another epoch, which says nothing of the current stream.
            guard routed.epoch == chain.epoch else { return nil }
            if frame.isKeyFrame {
                chain.omission = nil
            } else if chain.omission == nil, notes.gap > 0 || notes.isDiscontinuity {
                chain.omission = .lost(.deviceError)
            } else if chain.omission == nil, !isLossless, queue.isFull {
                chain.omission = .lost(.late)
            }
            return chain.omission
        }
        switch omission {
        case .joined?: skip()
        case .lost(let reason)?:
            lose(
                DroppedFrame(
                    sequence: routed.sequence, presentationTime: routed.presentationTime, reason: reason, count: 1))
        case nil:
            if !isLossless, queue.isFull { dropOldestGroup(routed.epoch) }
            queueCopy(of: frame, routed)
        }
    }

    /// Queues a frame without the images that others make of it, which would be kept as long as the frame.
    private func queueCopy(of frame: EncodedFrame, _ routed: RoutedFrame) {
        enqueue(routed.replacing(with: frame.withoutImages))
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
        fail(.notCompressed(name, format), epoch: routed.epoch)
    }

    /// Leaves out the frames until the next key frame, because the device lost one.
    func breakChain() {
        chain.withLock { $0.omission = $0.omission ?? .lost(.deviceError) }
    }

    /// Skips a frame, and those that need it.
    func skipToKeyFrame() {
        chain.withLock { $0.omission = $0.omission ?? .joined }
        skip()
    }

    func finish(throwing error: ObscuraError?) { queue.finish(throwing: error) }

    func startEpoch(_ epoch: UInt64) {
        chain.withLock { $0 = Chain(epoch: epoch) }
    }

    func content(of item: RoutedFrame) -> (element: EncodedFrame, hostTime: HostTime, dequeueTime: HostTime?)? {
        guard case .encoded(let frame) = item.content else { return nil }
        return (frame, frame.hostTime, frame.attachments.dequeueTime)
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
