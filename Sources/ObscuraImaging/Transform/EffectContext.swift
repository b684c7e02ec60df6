// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The properties of a frame that an effect can use.
public struct EffectContext: Sendable {
    /// The presentation time, on the timeline of the source; zero for a still image.
    public var presentationTime: MediaTime
    /// The time on CLOCK_MONOTONIC: the time of capture for a live source, the time of playback for a file.
    public var hostTime: HostTime
    /// The driver's frame number, from 0.
    public var sequence: UInt64

    /// The geometry of the picture relative to the source's; nil for a picture without a source.
    package var geometry: PictureGeometry?
    /// The geometry of the upright picture, before rotation and mirroring by a connection.
    package var upright: PictureGeometry?
    /// The pool for results; nil for new memory.
    package var pool: PixelBufferPool?

    /// Creates a context; by default, the context of a still image at the current time.
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
