// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The streams of a movie or a broadcast; known once the first frame is encoded.
package struct EncodedStreams: Sendable {
    /// The streams; video first, if there is any.
    package let streams: [OutputStream]
    package let hasVideo: Bool
    /// The video parameters; nil without video.
    package let video: VideoParameters?

    package init(streams: [OutputStream], hasVideo: Bool, video: VideoParameters?) {
        self.streams = streams
        self.hasVideo = hasVideo
        self.video = video
    }

    /// Creates the streams of the tracks; none for video before its first frame.
    package init(_ video: (any VideoPacketTrack)?, _ audio: (any AudioPacketTrack)?) throws(ObscuraError) {
        let pictures = try video?.makeStream()
        let sound = try audio?.makeStream()
        streams = [pictures?.stream, sound].compactMap(\.self)
        hasVideo = pictures != nil
        self.video = pictures?.parameters
    }

    /// The audio parameters; nil without audio.
    package var sound: CodecParameters? { index(isVideo: false).map { streams[$0].parameters } }

    /// The index of the video or audio stream; nil without one.
    package func index(isVideo: Bool) -> Int? {
        if isVideo { return hasVideo ? 0 : nil }
        let index = hasVideo ? 1 : 0
        return index < streams.count ? index : nil
    }
}
