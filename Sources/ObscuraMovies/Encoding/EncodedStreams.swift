// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The streams of a movie or a broadcast; known once the first picture is encoded.
package struct EncodedStreams: Sendable {
    /// Pictures first, if there are any.
    package let streams: [OutputStream]
    package let hasVideo: Bool
    /// Nil without pictures.
    package let video: VideoParameters?

    package init(streams: [OutputStream], hasVideo: Bool, video: VideoParameters?) {
        self.streams = streams
        self.hasVideo = hasVideo
        self.video = video
    }

    /// The streams of the tracks; none for pictures before the first one.
    package init(_ video: VideoTrack?, _ audio: AudioTrack?) throws(ObscuraError) {
        let pictures = try video?.makeStream()
        let sound = try audio?.makeStream()
        streams = [pictures?.stream, sound].compactMap(\.self)
        hasVideo = pictures != nil
        self.video = pictures?.parameters
    }

    /// Nil without sound.
    package var sound: CodecParameters? { index(isVideo: false).map { streams[$0].parameters } }

    /// The place of pictures, or of sound, among the streams; nil without them.
    package func index(isVideo: Bool) -> Int? {
        if isVideo { return hasVideo ? 0 : nil }
        let index = hasVideo ? 1 : 0
        return index < streams.count ? index : nil
    }
}
