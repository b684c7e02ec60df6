// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What an effect knows of the frame beside its picture.
public struct EffectContext: Sendable {
    /// When the frame is to be shown, on the timeline of its source; zero for a picture without one.
    public var presentationTime: MediaTime
    /// When it was taken or due, on CLOCK_MONOTONIC.
    public var hostTime: HostTime
    /// The driver's count of frames, from 0.
    public var sequence: UInt64

    /// How the picture was made of the source's; nil for a picture without a source.
    package var geometry: PictureGeometry?
    /// How the upright picture, neither turned nor mirrored for anybody, is made of the source's.
    package var upright: PictureGeometry?
    /// Where what is made of it lies; nil for new memory.
    package var pool: PixelBufferPool?

    /// For a picture of this moment that belongs to no stream.
    public init(presentationTime: MediaTime = .zero, hostTime: HostTime = .now, sequence: UInt64 = 0) {
        self.presentationTime = presentationTime
        self.hostTime = hostTime
        self.sequence = sequence
    }

    init(_ frame: VideoFrame) {
        self.init(presentationTime: frame.presentationTime, hostTime: frame.hostTime, sequence: frame.sequence)
        pool = frame.pool
    }
}
