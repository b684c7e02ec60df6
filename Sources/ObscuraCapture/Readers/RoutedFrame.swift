// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// A frame routed from a source to the readers.
struct RoutedFrame: RoutedItem {
    enum Content: Sendable {
        case pixels(VideoFrame)
        /// A compressed frame. The first reader that needs the pixels of an intra-only frame decodes it for all readers;
        /// inter-coded frames are for ``EncodedReader`` only.
        case encoded(EncodedFrame)
    }

    var content: Content
    /// The time when the frame entered the session, or left its decoder.
    let arrival: HostTime
    /// The time when the compressed frame entered the session, if it was decoded before routing.
    var decodingBegin: HostTime?
    var epoch: UInt64 = 0
    /// The number of discontinuities up to this frame, as its reader has counted them.
    var discontinuityCount: UInt64 = 0

    var hostTime: HostTime {
        switch content {
        case .pixels(let frame): frame.hostTime
        case .encoded(let frame): frame.hostTime
        }
    }

    var presentationTime: MediaTime {
        switch content {
        case .pixels(let frame): frame.presentationTime
        case .encoded(let frame): frame.presentationTime
        }
    }

    var sequence: UInt64 {
        switch content {
        case .pixels(let frame): frame.sequence
        case .encoded(let frame): frame.sequence
        }
    }

    var attachments: VideoFrame.Attachments {
        switch content {
        case .pixels(let frame): frame.attachments
        case .encoded(let frame): frame.attachments
        }
    }

    /// Returns the frame with pixels. Decodes it if needed, or waits until another reader has decoded it.
    func pixels() throws -> VideoFrame {
        switch content {
        case .pixels(let frame): frame
        case .encoded(let frame): try frame.decodedFrame()
        }
    }

    /// Whether the request needs an image other than the source's own.
    func needsWork(for request: ImageRequest, upright: Bool) -> Bool {
        if case .encoded = content { return true }
        return !request.isIdentity || upright && (attachments.uprightTurn != .up || attachments.isMirrored)
    }
}
