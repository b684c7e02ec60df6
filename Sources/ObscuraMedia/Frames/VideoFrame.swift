// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

/// One picture of a stream, and when it was.
///
/// A value: copies refer to the same picture. Letting go of the last copy sends the buffer home.
public struct VideoFrame: Sendable {
    /// The picture. Whoever changes it changes its own copy of the frame: what was made of the former
    /// picture is not given out for it, and not the other way round.
    public var buffer: PixelBuffer {
        get { picture }
        // In place, so that a picture without another reference is written without a copy.
        _modify {
            derived = SingleFlight()
            yield &picture
        }
    }
    /// When the picture is to be shown, on the timeline of its source: for a live camera its stamp on
    /// CLOCK_MONOTONIC, for a file the file's own time.
    public var presentationTime: MediaTime
    /// When it was taken (live) or due (file), on CLOCK_MONOTONIC.
    public var hostTime: HostTime
    /// How long it is to be shown; nil where the source does not say.
    public var duration: MediaTime?
    /// The driver's count of frames, from 0. A step of more than one is a gap that the driver made.
    public var sequence: UInt64
    /// What else is known about it.
    public var attachments: Attachments

    /// The picture, to be set without a word to ``derived``: only for what does not change the images made
    /// of it, or before there are any.
    package var picture: PixelBuffer
    /// What has been made of the picture; shared by all copies that have the same one.
    package var derived: SingleFlight<ImageRequest, PixelBuffer>
    /// Where what is made of it lies; nil for new memory.
    package var pool: PixelBufferPool?
    /// The image that its reader asked for beside the picture; nil if the reader asked for none.
    package var readyImage: PixelBuffer?

    /// What a source knows about a frame beside its picture and times.
    public struct Attachments: Sendable, Hashable {
        /// The turn that brings the picture upright, clockwise (from a file's or a sensor's rotation).
        public var uprightTurn: Orientation = .up
        /// Whether the source's picture has left and right changed, after the upright turn.
        public var isMirrored = false
        /// Whether ``VideoFrame/hostTime`` is the moment of arrival because the source gave none.
        public var isHostTimeEstimated = false
        /// Whether the timeline before this frame is not connected with it (a loop, a switch, a jump).
        public var isDiscontinuity = false
        /// How many frames the driver lost right before this one.
        public var gap: UInt64 = 0
        /// When the frame left the driver, on CLOCK_MONOTONIC.
        public var dequeueTime: HostTime?

        /// Nothing special: an upright, unmirrored frame of an unbroken timeline.
        public init() {}
    }

    /// A frame from whoever makes frames: a driver, a decoder, a test.
    public init(
        buffer: PixelBuffer, presentationTime: MediaTime, hostTime: HostTime, duration: MediaTime? = nil,
        sequence: UInt64 = 0, attachments: Attachments = Attachments()
    ) {
        picture = buffer
        self.presentationTime = presentationTime
        self.hostTime = hostTime
        self.duration = duration
        self.sequence = sequence
        self.attachments = attachments
        derived = SingleFlight()
    }

    /// The same moment with another picture, and without a hold on this one.
    package func replacing(buffer: PixelBuffer) -> VideoFrame {
        var frame = VideoFrame(
            buffer: buffer, presentationTime: presentationTime, hostTime: hostTime, duration: duration,
            sequence: sequence, attachments: attachments)
        frame.pool = pool
        return frame
    }
}
