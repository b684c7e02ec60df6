// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The stream of a track in a container.
package struct TrackStream: Sendable {
    package var stream: OutputStream
    /// The parameters of the frames; nil for other tracks.
    package let video: VideoParameters?

    package init(_ stream: OutputStream, video: VideoParameters? = nil) {
        self.stream = stream
        self.video = video
    }
}
