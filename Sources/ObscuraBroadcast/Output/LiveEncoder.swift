// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// Pictures and sound to compressed packets, each as soon as it can be. One thread at a time.
///
/// The broadcast begins with its first picture, or without pictures with its first sound.
final class LiveEncoder {
    let video: VideoTrack?
    private let audio: AudioTrack?
    /// Where the broadcast begins, by the times of what comes.
    private var start: MediaTime?
    /// The same by the machine's clock; nil before.
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

    /// Nil before the first picture.
    private(set) var streams: EncodedStreams?
    /// How much has been encoded.
    var duration: MediaTime { max(video?.end ?? .zero, audio?.end ?? .zero) }

    /// - Parameter isKey: whether playing must be able to begin with a picture; not called for sound.
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
        // What is older than the first picture belongs to nothing.
        guard let start, sound.presentationTime + sound.duration > start else { return [] }
        return try audio.append(sound, at: sound.presentationTime - start)
    }
}
