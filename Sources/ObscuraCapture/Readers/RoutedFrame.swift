// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// A frame on its way from a source to one reader.
///
/// Cheap to copy, since each frame passes a dozen functions and queues: what is the same for all readers is shared.
struct RoutedFrame: RoutedItem {
    enum Content: Sendable {
        case pixels(VideoFrame)
        /// A compressed frame. The first reader that needs the pixels of an intra-only frame decodes it for all readers;
        /// inter-coded frames are for ``EncodedReader`` only.
        case encoded(EncodedFrame)
    }

    private let shared: Shared
    var epoch: UInt64 = 0
    /// The number of discontinuities up to this frame, as its reader has counted them.
    var discontinuityCount: UInt64 = 0

    /// Creates a frame that no reader has got yet.
    ///
    /// - Parameters:
    ///   - arrival: The time when the frame entered the session, or left its decoder.
    ///   - decodingBegin: The time when the compressed frame entered the session, if it was decoded before routing.
    ///   - isBesideEncoded: Whether the compressed form of this frame is routed as well, by itself.
    init(
        _ frame: consuming VideoFrame, arrival: HostTime, decodingBegin: HostTime? = nil, isBesideEncoded: Bool = false
    ) {
        shared = Shared(
            isEncoded: false, presentationTime: frame.presentationTime, hostTime: frame.hostTime,
            sequence: frame.sequence, attachments: frame.attachments, arrival: arrival, decodingBegin: decodingBegin,
            isBesideEncoded: isBesideEncoded, content: .pixels(frame))
    }

    /// Creates a compressed frame that no reader has got yet.
    init(_ frame: EncodedFrame, arrival: HostTime, isBesideEncoded: Bool = false) {
        shared = Shared(
            isEncoded: true, presentationTime: frame.presentationTime, hostTime: frame.hostTime,
            sequence: frame.sequence, attachments: frame.attachments, arrival: arrival, decodingBegin: nil,
            isBesideEncoded: isBesideEncoded, content: .encoded(frame))
    }

    var content: Content { shared.content }
    /// The time when the frame entered the session, or left its decoder.
    var arrival: HostTime { shared.arrival }
    /// The time when the compressed frame entered the session, if it was decoded before routing.
    var decodingBegin: HostTime? { shared.decodingBegin }
    /// Whether the compressed form of this frame is routed as well, by itself.
    var isBesideEncoded: Bool { shared.isBesideEncoded }
    var presentationTime: MediaTime { shared.presentationTime }
    var hostTime: HostTime { shared.hostTime }
    var sequence: UInt64 { shared.sequence }
    var attachments: VideoFrame.Attachments { shared.attachments }

    /// Returns the frame with pixels. Decodes it if needed, or waits until another reader has decoded it.
    func pixels() throws -> VideoFrame {
        switch shared.content {
        case .pixels(let frame): frame
        case .encoded(let frame): try frame.decodedFrame()
        }
    }

    /// Returns another form of the same frame, for the same reader.
    func replacing(with frame: VideoFrame) -> RoutedFrame {
        RoutedFrame(frame, arrival: arrival, decodingBegin: decodingBegin, isBesideEncoded: isBesideEncoded)
            .placed(like: self)
    }

    /// Returns another form of the same frame, for the same reader.
    func replacing(with frame: EncodedFrame) -> RoutedFrame {
        RoutedFrame(frame, arrival: arrival, isBesideEncoded: isBesideEncoded).placed(like: self)
    }

    private func placed(like other: RoutedFrame) -> RoutedFrame {
        var frame = self
        (frame.epoch, frame.discontinuityCount) = (other.epoch, other.discontinuityCount)
        return frame
    }

    /// Whether the frame must be decoded or, for an upright image, turned or mirrored.
    func needsWork(upright: Bool) -> Bool {
        shared.isEncoded || upright && (shared.attachments.uprightTurn != .up || shared.attachments.isMirrored)
    }

    /// What all readers share. The properties of the content are stored beside it, since a look at the content copies it.
    private final class Shared: Sendable {
        let content: Content
        let isEncoded: Bool
        let presentationTime: MediaTime
        let hostTime: HostTime
        let sequence: UInt64
        let attachments: VideoFrame.Attachments
        let arrival: HostTime
        let decodingBegin: HostTime?
        let isBesideEncoded: Bool

        init(
            isEncoded: Bool, presentationTime: MediaTime, hostTime: HostTime, sequence: UInt64,
            attachments: VideoFrame.Attachments, arrival: HostTime, decodingBegin: HostTime?, isBesideEncoded: Bool,
            content: consuming Content
        ) {
            self.isEncoded = isEncoded
            self.presentationTime = presentationTime
            self.hostTime = hostTime
            self.sequence = sequence
            self.attachments = attachments
            self.arrival = arrival
            self.decodingBegin = decodingBegin
            self.isBesideEncoded = isBesideEncoded
            self.content = content
        }
    }
}
