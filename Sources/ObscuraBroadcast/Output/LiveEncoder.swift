// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// Pictures and sound to compressed packets, each as soon as it can be. One thread at a time.
///
/// The broadcast begins with its first picture, or without pictures with its first sound.
final class LiveEncoder {
    private let video: VideoTrack?
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
    private(set) var streams: BroadcastStreams?
    /// Pictures that went into the encoder.
    var frameCount: Int { video?.frameCount ?? 0 }
    /// Bits a second of pictures, as they are asked for; nil before the first.
    var bitRate: Int? { video?.encoder.flatMap { _ in video?.bitRate } }
    /// Whether ``setBitRate(_:)`` does something.
    var adaptsBitRate: Bool { video?.encoder?.adaptsBitRate ?? false }
    /// How much has been encoded.
    var duration: MediaTime { max(video?.end ?? .zero, audio?.end ?? .zero) }

    /// - Parameter isKey: whether playing must be able to begin with it.
    func append(_ frame: VideoFrame, isKey: Bool) throws(ObscuraError) -> [BroadcastPacket] {
        guard let video else { return [] }
        let begin = start ?? frame.presentationTime
        if start == nil { (start, startTime) = (begin, frame.hostTime) }
        let packets = try video.append(frame, at: frame.presentationTime - begin, isKey: isKey)
        if streams == nil { try makeStreams() }
        return packets.map { Self.packet($0, isVideo: true, frame.hostTime) }
    }

    func append(_ sound: AudioBuffer) throws(ObscuraError) -> [BroadcastPacket] {
        guard let audio else { return [] }
        if video == nil, start == nil {
            (start, startTime) = (sound.presentationTime, sound.hostTime)
            try makeStreams()
        }
        // What is older than the first picture belongs to nothing.
        guard let start, sound.presentationTime + sound.duration > start else { return [] }
        return try audio.append(sound, at: sound.presentationTime - start)
            .map { Self.packet($0, isVideo: false, sound.hostTime) }
    }

    func setBitRate(_ bitRate: Int) {
        _ = video?.setBitRate(bitRate)
    }

    private func makeStreams() throws(ObscuraError) {
        var made: [OutputStream] = []
        var parameters: VideoParameters?
        if let video, let encoder = video.encoder {
            let own = try encoder.encoder.makeParameters()
            parameters = encoder.videoParameters(own)
            made.append(
                OutputStream(
                    parameters: own, timescale: encoder.encoder.timescale, frameRate: video.rate))
        }
        if let audio {
            made.append(OutputStream(parameters: try audio.makeParameters(), timescale: audio.timescale))
        }
        streams = BroadcastStreams(streams: made, hasVideo: video != nil, video: parameters)
    }

    private static func packet(_ coded: CodedPacket, isVideo: Bool, _ hostTime: HostTime) -> BroadcastPacket {
        BroadcastPacket(
            isVideo: isVideo, bytes: coded.bytes, units: coded.units, timescale: coded.timescale,
            duration: coded.duration, isKey: !isVideo || coded.isKey, hostTime: hostTime)
    }
}
