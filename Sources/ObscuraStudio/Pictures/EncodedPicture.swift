// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import Obscura

/// A frame encoded as JPEG, shared by all viewers of a stream.
struct EncodedPicture: Sendable {
    /// The JPEG file.
    let bytes: ByteBuffer
    /// Number of the picture in its stream, from 0; it wraps to 0 after 2^32 - 1.
    let sequence: UInt32
    let size: PixelSize
    /// Capture time of the frame.
    let hostTime: HostTime
    /// Time at which encoding finished.
    let encodedTime: HostTime

    /// Returns the time since the capture.
    func age(at time: HostTime = .now) -> Duration { time - hostTime }
}
