// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// The video and audio of a broadcast: encoded with minimal delay, or copied. One thread at a time.
///
/// The broadcast begins with its first frame (copied video: its first key frame) or, without video, with its first audio.
final class LiveEncoder {
    /// The encoded video; nil if it is copied, and without video.
    var encodedVideo: VideoTrack? { video as? VideoTrack }
    private let video: (any VideoPacketTrack)?
    private let audio: (any AudioPacketTrack)?
    /// The start of the broadcast, on the timeline of the samples.
    private var start: MediaTime?
    /// The start of the broadcast in host time; nil before it.
    private(set) var startTime: HostTime?

    init(_ settings: BroadcastSettings, hasVideo: Bool) throws(ObscuraError) {
        try FFmpegLibrary.load()
        let subject = "broadcast"
        if !hasVideo {
            video = nil
        } else if settings.copiesVideo {
            video = CopiedVideoTrack(subject: subject, container: nil, isLive: true)
        } else {
            video = VideoTrack(
                settings.video, subject: subject, isLive: true, impliedBitRate: BroadcastSettings.defaultBitRate)
        }
        if let copied = settings.copiedAudio {
            audio = CopiedAudioTrack(copied, subject: subject)
        } else if let encoded = settings.audio {
            audio = try AudioTrack(encoded, subject: subject, isLive: true)
        } else {
            audio = nil
        }
    }

    /// The streams; nil before the first frame.
    private(set) var streams: EncodedStreams?
    /// The encoded duration.
    var duration: MediaTime { max(video?.end ?? .zero, audio?.end ?? .zero) }

    /// - Parameter isKey: whether a frame must be a key frame; not called for audio.
    func append(_ sample: MediaSample, isKey: () -> Bool) throws(ObscuraError) -> [EncodedPacket] {
        sample.isVideo ? try appendVideo(sample, isKey: isKey()) : try appendAudio(sample)
    }

    private func appendVideo(_ sample: MediaSample, isKey: Bool) throws(ObscuraError) -> [EncodedPacket] {
        guard let video, start != nil || sample.isKey else { return [] }
        let begin = start ?? sample.decodeTime
        if start == nil { (start, startTime) = (begin, sample.hostTime) }
        let packets = try video.append(sample, at: sample.presentationTime - begin, isKey: isKey)
        if streams == nil { streams = try EncodedStreams(video, audio) }
        return packets
    }

    private func appendAudio(_ sample: MediaSample) throws(ObscuraError) -> [EncodedPacket] {
        guard let audio else { return [] }
        if video == nil, start == nil {
            (start, startTime) = (sample.presentationTime, sample.hostTime)
            streams = try EncodedStreams(nil, audio)
        }
        // Audio that ends before the first frame is skipped.
        guard let start, sample.presentationTime + (sample.duration ?? .zero) > start else { return [] }
        return try audio.append(sample, at: sample.presentationTime - start)
    }

    /// Returns the remaining packets; no sample follows.
    func finish() throws(ObscuraError) -> [EncodedPacket] {
        try (video?.finish(at: nil) ?? []) + (audio?.finish() ?? [])
    }
}
