// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The interface of a source that its connections use.
protocol ConnectionSource: AnyObject, Sendable {
    var input: CaptureDeviceInput { get }
    /// What it delivers compressed.
    var encoded: EncodedMedia { get }
    /// Resizes the pool after a change of the connections or of the images that they make of a frame.
    func fitPool()
    /// Takes note of a change of ``CaptureConnection/holdsSource``.
    func fitHolds()
}

/// What a source delivers compressed.
package struct EncodedMedia: Sendable, Hashable {
    /// The codec of its compressed frames; nil if it delivers none.
    package var video: VideoCodec?
    /// Whether it delivers them beside pixels, which it decodes itself.
    package var isBesidePixels = false
    /// The parameters of its compressed audio; nil if it delivers none.
    package var audio: AudioParameters?
}
