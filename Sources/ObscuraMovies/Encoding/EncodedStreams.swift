// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The streams of a movie or a broadcast; known once the first frame is encoded.
package struct EncodedStreams: Sendable {
    /// The streams, in the order of their tracks.
    package let streams: [OutputStream]
    /// The index of the stream of each track; nil for a track without one.
    package let places: [Int?]
    /// The parameters of the first video; nil without video.
    package let video: VideoParameters?

    /// - Parameter tracks: the stream of each track; nil for one that is not in the container.
    package init(_ tracks: [TrackStream?]) {
        var next = 0
        places = tracks.map { made in
            guard made != nil else { return nil }
            defer { next += 1 }
            return next
        }
        streams = tracks.compactMap { $0?.stream }
        video = tracks.lazy.compactMap { $0?.video }.first
    }

    /// Creates the streams of one video and one audio track; none for video before its first frame.
    package init(_ video: (any VideoPacketTrack)?, _ audio: (any AudioPacketTrack)?) throws(ObscuraError) {
        let sound = try audio?.makeStream()
        self.init([try video?.makeStream(), sound.map { TrackStream($0) }])
    }

    package var hasVideo: Bool { video != nil }
    /// The audio parameters; nil without audio.
    package var sound: CodecParameters? { index(isVideo: false).map { streams[$0].parameters } }

    /// The index of the first video or audio stream; nil without one.
    package func index(isVideo: Bool) -> Int? {
        streams.firstIndex { isVideo ? $0.parameters.isVideo : $0.parameters.isAudio }
    }
}
