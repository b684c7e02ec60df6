// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import Obscura

/// A picture as it is sent: encoded once, and shared by all who watch.
struct EncodedPicture: Sendable {
    /// The file.
    let bytes: ByteBuffer
    /// Counts the pictures of a stream, from 0; it begins again after 2^32 - 1.
    let sequence: UInt32
    let size: PixelSize
    /// When the camera took it.
    let hostTime: HostTime
    /// When its file was ready.
    let encodedTime: HostTime

    /// How long ago it was taken.
    func age(at time: HostTime = .now) -> Duration { time - hostTime }
}
