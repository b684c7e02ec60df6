// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

/// A frame of a video stream, with its times.
///
/// A value type: copies refer to the same pixel buffer, which is released with the last copy.
public struct VideoFrame: Sendable {
    /// The pixel buffer. Changing it changes only this copy of the frame; images derived from the old buffer are not
    /// used for the new one, and vice versa.
    public var buffer: PixelBuffer {
        get { picture }
        // In place, so that a buffer without another reference is written without a copy.
        _modify {
            derived = SingleFlight()
            yield &picture
        }
    }
    /// The presentation time, on the timeline of the source: the timestamp on CLOCK_MONOTONIC for a live camera, the
    /// time in the file for a file.
    public var presentationTime: MediaTime
    /// The time on CLOCK_MONOTONIC: of capture for a live source, of playback for a file.
    public var hostTime: HostTime
    /// The duration of presentation; nil if the source does not report it.
    public var duration: MediaTime?
    /// The driver's frame number, from 0. A step of more than one means that the driver lost frames.
    public var sequence: UInt64
    /// Other properties of the frame.
    public var attachments: Attachments

    /// The pixel buffer; setting it does not reset ``derived``. Set it only when derived images stay valid, or before
    /// there are any.
    package var picture: PixelBuffer
    /// Images derived from the pixel buffer; shared by all copies that have the same one.
    package var derived: SingleFlight<ImageRequest, PixelBuffer>
    /// The pool for derived images; nil for new memory.
    package var pool: PixelBufferPool?
    /// The converted image that the reader requested in addition to the buffer; nil if it requested none.
    package var readyImage: PixelBuffer?

    /// Properties of a frame other than its pixel buffer and times.
    public struct Attachments: Sendable, Hashable {
        /// The clockwise rotation that makes the frame upright (from the rotation of a file or a sensor).
        public var uprightTurn: Orientation = .up
        /// Whether the source's frame is mirrored horizontally, after the upright rotation.
        public var isMirrored = false
        /// Whether ``VideoFrame/hostTime`` is the time of arrival because the source provided none.
        public var isHostTimeEstimated = false
        /// Whether the timeline is interrupted before this frame (a loop, a switch, a seek).
        public var isDiscontinuity = false
        /// The number of frames that the driver lost just before this one.
        public var gap: UInt64 = 0
        /// The time at which the frame was dequeued from the driver, on CLOCK_MONOTONIC.
        public var dequeueTime: HostTime?

        /// Creates attachments for an upright, unmirrored frame of an uninterrupted timeline.
        public init() {}
    }

    /// Creates a frame, for drivers, decoders and tests.
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

    /// Returns a frame with the same times and another pixel buffer, without a reference to this one.
    package func replacing(buffer: PixelBuffer) -> VideoFrame {
        var frame = VideoFrame(
            buffer: buffer, presentationTime: presentationTime, hostTime: hostTime, duration: duration,
            sequence: sequence, attachments: attachments)
        frame.pool = pool
        return frame
    }
}
