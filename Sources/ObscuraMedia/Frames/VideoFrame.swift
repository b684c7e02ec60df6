// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A frame of a video stream: a pixel buffer, timestamps and a frame number.
///
/// A value type: copies refer to the same pixel buffer, which is released with the last copy.
public struct VideoFrame: Sendable {
    /// The pixel buffer. Changing the buffer changes only this copy of the frame, and discards the cached results of
    /// image requests for this copy.
    public var buffer: PixelBuffer {
        get { picture }
        // In place, so that a buffer without another reference is written without a copy.
        _modify {
            derived = DerivedImages()
            yield &picture
        }
    }
    /// The presentation time, on the timeline of the source: the timestamp on CLOCK_MONOTONIC for a live camera, the
    /// time in the file for a file.
    public var presentationTime: MediaTime
    /// The time on CLOCK_MONOTONIC: the time of capture for a live source, the time of playback for a file.
    public var hostTime: HostTime
    /// The duration of presentation; nil if the source does not report it.
    public var duration: MediaTime?
    /// The driver's frame number, from 0. A step of more than one means that the driver lost frames.
    public var sequence: UInt64
    /// Other properties of the frame.
    public var attachments: Attachments

    /// The pixel buffer; setting it does not reset ``derived``. Set it only when derived images stay valid, or before
    /// the first image is derived.
    package var picture: PixelBuffer
    /// Images derived from the pixel buffer; shared by all copies that have the same buffer.
    package var derived: DerivedImages
    /// The pool for derived images; nil for new memory.
    package var pool: PixelBufferPool?
    /// The converted image that the reader requested in addition to the buffer; nil if the reader requested no
    /// conversion.
    package var readyImage: PixelBuffer? {
        get { ready?.image }
        set { ready = newValue.map(ReadyImage.init) }
    }

    // A reference, since few frames have such an image, and each frame is copied a few times on its way.
    private var ready: ReadyImage?

    private final class ReadyImage: Sendable {
        let image: PixelBuffer

        init(_ image: PixelBuffer) {
            self.image = image
        }
    }

    /// Properties of a frame other than its pixel buffer and times.
    public struct Attachments: Sendable, Hashable {
        /// The clockwise rotation that makes the frame upright (as specified by the file or by the rotation of the
        /// sensor).
        public var uprightTurn: Orientation = .up
        /// Whether the frame must be mirrored horizontally to be displayed correctly. Mirror after the rotation by
        /// ``uprightTurn``.
        public var isMirrored = false
        /// Whether ``VideoFrame/hostTime`` is the time of arrival, because the source provided no time of capture.
        public var isHostTimeEstimated = false
        /// Whether the timeline is interrupted before this frame, for example by a loop, a change of the device, or a
        /// seek. If a reader does not get the first frame after the interruption, the next frame of the reader has this
        /// mark.
        public var isDiscontinuity = false
        /// The number of frames that the driver lost just before this frame.
        public var gap: UInt64 = 0
        /// The time at which the frame was dequeued from the driver, on CLOCK_MONOTONIC; nil if unknown.
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
        derived = DerivedImages()
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
