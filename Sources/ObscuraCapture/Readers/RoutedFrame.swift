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
    init(content: Content, arrival: HostTime, decodingBegin: HostTime? = nil, isBesideEncoded: Bool = false) {
        shared = Shared(content, arrival, decodingBegin, isBesideEncoded)
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
        switch content {
        case .pixels(let frame): frame
        case .encoded(let frame): try frame.decodedFrame()
        }
    }

    /// Returns the frame with another content, for the same reader.
    func replacing(content: Content) -> RoutedFrame {
        var frame = RoutedFrame(
            content: content, arrival: arrival, decodingBegin: decodingBegin, isBesideEncoded: isBesideEncoded)
        (frame.epoch, frame.discontinuityCount) = (epoch, discontinuityCount)
        return frame
    }

    /// Whether the request needs an image other than the source's own.
    func needsWork(for request: ImageRequest, upright: Bool) -> Bool {
        if shared.isEncoded { return true }
        return !request.isIdentity || upright && (attachments.uprightTurn != .up || attachments.isMirrored)
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

        init(_ content: Content, _ arrival: HostTime, _ decodingBegin: HostTime?, _ isBesideEncoded: Bool) {
            switch content {
            case .pixels(let frame):
                isEncoded = false
                (presentationTime, hostTime) = (frame.presentationTime, frame.hostTime)
                (sequence, attachments) = (frame.sequence, frame.attachments)
            case .encoded(let frame):
                isEncoded = true
                (presentationTime, hostTime) = (frame.presentationTime, frame.hostTime)
                (sequence, attachments) = (frame.sequence, frame.attachments)
            }
            self.content = content
            self.arrival = arrival
            self.decodingBegin = decodingBegin
            self.isBesideEncoded = isBesideEncoded
        }
    }
}
