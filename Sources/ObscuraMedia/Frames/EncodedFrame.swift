// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

/// One compressed picture of a stream, and when it was.
public struct EncodedFrame: Sendable {
    /// ``PixelFormat/mjpeg``, ``PixelFormat/h264`` or ``PixelFormat/hevc``.
    public let format: PixelFormat
    /// The compressed bytes: one JPEG, or one access unit.
    public let data: [UInt8]
    /// Width in pixels, as the source says it.
    public let width: Int
    /// Height in pixels, as the source says it.
    public let height: Int
    /// Whether decoding can begin here; always so for JPEG.
    public let isKeyFrame: Bool
    /// When the picture is to be shown, on the timeline of its source.
    public var presentationTime: MediaTime
    /// When it must be decoded; equal to ``presentationTime`` where frames are not reordered.
    public var decodeTime: MediaTime
    /// When it was taken, on CLOCK_MONOTONIC.
    public var hostTime: HostTime
    /// How long it is to be shown; nil where the source does not say.
    public var duration: MediaTime?
    /// The driver's count of frames, from 0.
    public var sequence: UInt64
    /// What else is known about it.
    public var attachments: VideoFrame.Attachments

    /// The decoded picture, made once for all copies. Times and attachments are each copy's own.
    package let decoded = SingleFlight<PixelFormat, PixelBuffer>()
    /// What has been made of the decoded picture; shared by all copies with the same ``colorSpace``.
    package private(set) var derived = SingleFlight<ImageRequest, PixelBuffer>()
    /// What the samples mean, where one knows better than the picture itself.
    package var colorSpace: ColorSpace? {
        didSet { derived = SingleFlight() }
    }
    /// Where the decoded picture lies; nil for new memory.
    package var pool: PixelBufferPool?

    /// A compressed frame; without a decode time, frames are in the order in which they are shown.
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
}
