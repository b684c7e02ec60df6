// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// A frame on its way from a source to the readers.
struct RoutedFrame: Sendable {
    enum Content: Sendable {
        case pixels(VideoFrame)
        /// Intra-only: decoded by the first reader that wants pixels, once for all.
        case encoded(EncodedFrame)
    }

    let content: Content
    /// When the frame entered the session, or came out of its decoder.
    let arrival: HostTime
    /// When its compressed frame entered the session, where that was decoded before it was routed.
    var decodingBegin: HostTime?
    /// The timeline of the connection on which it was routed; see ``CaptureConnection/flush()``.
    var epoch: UInt64 = 0

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

    /// The frame with pixels. Decodes where it must, or waits for whoever decodes it.
    func pixels() throws -> VideoFrame {
        switch content {
        case .pixels(let frame): frame
        case .encoded(let frame): try frame.decodedFrame()
        }
    }

    /// Whether the reader gets anything but the source's own picture.
    func needsWork(for request: ImageRequest, upright: Bool) -> Bool {
        if case .encoded = content { return true }
        return !request.isIdentity || upright && (attachments.uprightTurn != .up || attachments.isMirrored)
    }
}
