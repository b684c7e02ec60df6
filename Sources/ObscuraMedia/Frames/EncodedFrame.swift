// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

/// A compressed frame of a stream, with timestamps.
public struct EncodedFrame: Sendable {
    /// The format: ``PixelFormat/mjpeg``, ``PixelFormat/h264``, ``PixelFormat/hevc`` or ``PixelFormat/ffv1``.
    public let format: PixelFormat
    /// The compressed bytes: one JPEG, one access unit, or one frame of FFV1. Access units of H.264 and HEVC are byte
    /// streams with start codes (Annex B), unless ``VideoEncoder/UnitLayout/lengthPrefixed`` was requested.
    public let data: [UInt8]
    /// The parameter sets of H.264 and HEVC, as a byte stream with start codes, if the source stores them outside the
    /// frames. A decoder needs these parameter sets before the first frame. Empty if the frames contain the parameter
    /// sets, as with cameras.
    public var parameterSets: [UInt8] = []
    /// Width in pixels, as reported by the source.
    public let width: Int
    /// Height in pixels, as reported by the source.
    public let height: Int
    /// Whether decoding can start at this frame; always true for JPEG.
    public let isKeyFrame: Bool
    /// The presentation time, on the timeline of the source.
    public var presentationTime: MediaTime
    /// The decode time; equal to ``presentationTime`` if frames are not reordered.
    public var decodeTime: MediaTime
    /// The time on CLOCK_MONOTONIC: the time of capture for a live source, the time of playback for a file.
    public var hostTime: HostTime
    /// The duration of presentation; nil if the source does not report it.
    public var duration: MediaTime?
    /// The driver's frame number, from 0. A step of more than one means that the driver lost frames.
    public var sequence: UInt64
    /// Other properties of the frame.
    public var attachments: VideoFrame.Attachments

    /// The decoded frame, created once and shared by all copies. Times and attachments belong to each copy.
    package let decoded = SingleFlight<PixelFormat, PixelBuffer>()
    /// Images derived from the decoded frame; shared by all copies with the same ``colorSpace``.
    package private(set) var derived = DerivedImages()
    /// The color space, if it is known better than from the compressed data.
    package var colorSpace: ColorSpace? {
        didSet { derived = DerivedImages() }
    }
    /// The pool for the decoded frame; nil for new memory.
    package var pool: PixelBufferPool?

    /// Creates a compressed frame. If `decodeTime` is nil, the decode time is `presentationTime`.
    public init(
        format: PixelFormat, data: [UInt8], width: Int, height: Int, isKeyFrame: Bool,
        presentationTime: MediaTime, decodeTime: MediaTime? = nil, hostTime: HostTime,
        duration: MediaTime? = nil, sequence: UInt64 = 0,
        attachments: VideoFrame.Attachments = VideoFrame.Attachments()
    ) {
        self.format = format
        self.data = data
        self.width = width
        self.height = height
        self.isKeyFrame = isKeyFrame
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime ?? presentationTime
        self.hostTime = hostTime
        self.duration = duration
        self.sequence = sequence
        self.attachments = attachments
    }

    /// The frame without the images that others made of it, which would be kept as long as the frame.
    package var withoutImages: EncodedFrame {
        var frame = EncodedFrame(
            format: format, data: data, width: width, height: height, isKeyFrame: isKeyFrame,
            presentationTime: presentationTime, decodeTime: decodeTime, hostTime: hostTime, duration: duration,
            sequence: sequence, attachments: attachments)
        frame.parameterSets = parameterSets
        frame.colorSpace = colorSpace
        return frame
    }
}
