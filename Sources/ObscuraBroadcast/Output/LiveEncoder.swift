// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// An encoder of video and audio with minimal delay. One thread at a time.
///
/// The broadcast begins with its first frame or, without video, with its first audio buffer.
final class LiveEncoder {
    let video: VideoTrack?
    private let audio: AudioTrack?
    /// The start of the broadcast, on the timeline of the samples.
    private var start: MediaTime?
    /// The start of the broadcast in host time; nil before it.
    private(set) var startTime: HostTime?

    init(video: VideoSettings?, audio: AudioSettings?) throws(ObscuraError) {
        self.video = video.map {
            VideoTrack(
                $0, subject: "broadcast", isLive: true, impliedBitRate: BroadcastSettings.defaultBitRate)
        }
        if let audio {
            self.audio = try AudioTrack(audio, subject: "broadcast", isLive: true)
        } else {
            self.audio = nil
        }
    }

    /// The streams; nil before the first frame.
    private(set) var streams: EncodedStreams?
    /// The encoded duration.
    var duration: MediaTime { max(video?.end ?? .zero, audio?.end ?? .zero) }

    /// - Parameter isKey: whether a frame must be a key frame; not called for audio.
    func append(_ sample: MediaSample, isKey: () -> Bool) throws(ObscuraError) -> [EncodedPacket] {
        switch sample {
        case .video(let frame): try append(frame, isKey: isKey())
        case .audio(let sound): try append(sound)
        }
    }

    private func append(_ frame: VideoFrame, isKey: Bool) throws(ObscuraError) -> [EncodedPacket] {
        guard let video else { return [] }
        let begin = start ?? frame.presentationTime
        if start == nil { (start, startTime) = (begin, frame.hostTime) }
        let packets = try video.append(frame, at: frame.presentationTime - begin, isKey: isKey)
        if streams == nil { streams = try EncodedStreams(video, audio) }
        return packets
    }

    private func append(_ sound: AudioBuffer) throws(ObscuraError) -> [EncodedPacket] {
        guard let audio else { return [] }
        if video == nil, start == nil {
            (start, startTime) = (sound.presentationTime, sound.hostTime)
            streams = try EncodedStreams(nil, audio)
        }
        // Audio that ends before the first frame is skipped.
        guard let start, sound.presentationTime + sound.duration > start else { return [] }
        return try audio.append(sound, at: sound.presentationTime - start)
    }
}
