// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A stream of an output container.
package struct OutputStream: Sendable {
    package var parameters: CodecParameters
    /// Units per second of the packets' times.
    package var timescale: Int32
    package var frameRate: FrameRate?
    /// The transform that makes its frames upright; nil if they are.
    package var transform: DisplayTransform?
    /// Three letters of ISO 639-2; nil uses that of the container's metadata.
    package var language: String?
    /// The name of the track.
    package var title: String?
    /// Whether players select it by default; nil leaves the choice to the muxer.
    package var isDefault: Bool?

    package init(
        parameters: CodecParameters, timescale: Int32, frameRate: FrameRate? = nil, transform: DisplayTransform? = nil
    ) {
        self.parameters = parameters
        self.timescale = timescale
        self.frameRate = frameRate
        self.transform = transform
    }
}
