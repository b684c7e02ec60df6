// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A stream of a container that is written or sent.
package struct OutputStream: Sendable {
    package var parameters: CodecParameters
    /// Units a second of the times of its packets.
    package var timescale: Int32
    package var frameRate: FrameRate?

    package init(parameters: CodecParameters, timescale: Int32, frameRate: FrameRate? = nil) {
        self.parameters = parameters
        self.timescale = timescale
        self.frameRate = frameRate
    }
}
