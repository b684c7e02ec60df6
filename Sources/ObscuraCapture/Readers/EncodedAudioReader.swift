// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader of the compressed audio of a source, which it gets unchanged.
final class EncodedAudioReader: QueuedReader {
    typealias Item = RoutedPacket
    typealias Element = EncodedAudio

    let line: ReaderQueue<RoutedPacket>

    let isPrompt: Bool

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - isPrompt: Whether the reader needs each element when it arrives.
    ///   - onDrop: Called for each dropped packet, on any thread; must not block.
    init(
        name: String, policy: LateFramePolicy, isPrompt: Bool = true,
        onDrop: @escaping @Sendable (DroppedFrame) -> Void
    ) {
        self.isPrompt = isPrompt
        line = ReaderQueue(name: name, policy: policy, onDrop: onDrop)
    }

    /// Queues a packet; blocks with a lossless policy while the queue is full.
    func receive(_ packet: EncodedAudio, arrival: HostTime, epoch: UInt64) {
        enqueue(RoutedPacket(packet: packet, arrival: arrival, epoch: epoch))
    }

    /// Ends the reader: the source delivers audio that is not compressed, or in a codec that is not passed on.
    func refuse(epoch: UInt64) {
        fail(
            ObscuraError(
                .capture, .unsupportedFormat, subject: name,
                reason: "the source delivers no compressed audio of a supported codec",
                advice: "Compress its audio with AudioEncoder."), epoch: epoch)
    }

    func finish(throwing error: ObscuraError?) { queue.finish(throwing: error) }

    func content(of item: RoutedPacket) -> (element: EncodedAudio, hostTime: HostTime, dequeueTime: HostTime?)? {
        (item.packet, item.packet.hostTime, nil)
    }
}

/// A packet of compressed audio routed to a reader.
struct RoutedPacket: RoutedItem {
    let packet: EncodedAudio
    /// The time when the packet entered the session.
    let arrival: HostTime
    let epoch: UInt64

    var sequence: UInt64 { packet.sequence }
    var presentationTime: MediaTime { packet.presentationTime }
}
