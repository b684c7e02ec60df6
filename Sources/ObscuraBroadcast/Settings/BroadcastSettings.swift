// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraMedia

/// Settings for encoding and sending a broadcast.
public struct BroadcastSettings: Sendable, Hashable {
    /// Video settings (default: H.264 with a key frame each second and without B-frames). If
    /// ``VideoSettings/bitRate`` is nil, the bit rate is ``defaultBitRate(_:_:)``.
    public var video: VideoSettings
    /// Audio settings (default: AAC); nil sends no audio.
    public var audio: AudioSettings?
    /// Whether you append compressed frames (``EncodedFrame``), which are sent unchanged; ``video`` and the bit rate
    /// settings then have no effect. The frames must be H.264, or HEVC if no destination is an RTMP server.
    ///
    /// With ``BroadcastOutput``, these are the compressed frames of the source, and its audio is also copied if it is
    /// AAC. New viewers, and destinations that were too slow, must wait for the next key frame of the source.
    public var copiesVideo = false
    /// The parameters of the compressed AAC audio (``EncodedAudio``) that you append, which is sent unchanged;
    /// ``audio`` then has no effect. Nil if you append audio buffers, which are encoded.
    public var copiedAudio: AudioParameters?
    /// Whether the video bit rate decreases while a destination is slow, and increases again afterwards. All
    /// destinations share one encoder, so the slowest destination determines the bit rate. Movie files do not affect
    /// the bit rate. Requires an encoder that can change its bit rate while running: x264 or NVENC.
    public var adaptsBitRate = true
    /// The lowest video bit rate if ``adaptsBitRate`` is true, as a fraction of the requested bit rate; 0.01 to 1. The
    /// bit rate is never lowered below 100,000 bits per second.
    public var lowestBitRate = 0.1
    /// Maximum duration of the frames that wait to be sent to a destination, 1 to 60 s. If the waiting frames exceed
    /// this duration or 64 MiB, whole groups of pictures are dropped. For a movie file, the limits are one minute and
    /// 256 MiB; the movie fails if the waiting frames exceed a limit.
    public var queueLimit = Duration.seconds(3)
    /// Maximum time from the start of a connection until the server has accepted the stream; 0.1 to 60 s.
    public var connectTimeout = Duration.seconds(10)
    /// Time after which a connection counts as lost if no data can be sent; 0.1 to 60 s.
    public var sendTimeout = Duration.seconds(5)
    /// Duration of HLS segments, 1 to 60 s; a segment ends at the next key frame after this time.
    public var segmentDuration = Duration.seconds(1)
    /// Number of segments in the HLS playlist, 3 to 100; the folder keeps three older segments as well.
    public var segmentCount = 6
    /// Maximum number of clients of an RTSP server on this host; 1 to 10,000. Further clients are rejected.
    ///
    /// The actual maximum is lower if the process cannot open enough files and threads: a client can need 60 files and
    /// 24 threads. Some files and threads are reserved for recordings.
    public var viewerLimit = 100
    /// The path of a PEM file with certificates that are trusted for `rtmps://` servers; nil trusts the certificates of
    /// the system.
    public var trustedCertificates: String?

    /// Creates settings with a bit rate and audio settings. All other settings have their default values.
    ///
    /// - Parameters:
    ///   - bitRate: video bit rate in bits per second; nil uses ``defaultBitRate(_:_:)``.
    ///   - audio: audio settings; nil sends no audio.
    public init(bitRate: Int? = nil, audio: AudioSettings? = AudioSettings()) {
        video = VideoSettings(bitRate: bitRate)
        video.keyFrameInterval = .seconds(1)
        self.audio = audio
    }

    /// Returns the default video bit rate for a frame size and a frame rate, in bits per second.
    ///
    /// The default is 0.1 bits per pixel of each frame, but at least 300,000 bits per second. Frame rates above 60
    /// count as 60. Examples at 30 frames per second: 2.8 million for 1280x720, 6.2 million for 1920x1080.
    public static func defaultBitRate(_ size: PixelSize, _ rate: FrameRate) -> Int {
        let pixels = Double(size.width) * Double(size.height) * min(60, max(1, rate.framesPerSecond))
        return max(300_000, Int(pixels / 10))
    }

    /// Whether all destinations support a video codec.
    func supports(_ codec: VideoCodec, for destinations: [BroadcastDestination]) -> Bool {
        codec == .h264 || (codec == .hevc && destinations.allSatisfy { $0.kind != .rtmp })
    }

    /// Throws if the settings are invalid for the destinations, before anything is started.
    func check(_ destinations: [BroadcastDestination]) throws(ObscuraError) {
        guard copiesVideo || supports(video.codec, for: destinations) else { throw .unsupported(video.codec) }
        if let copiedAudio, copiedAudio.codec != .aac {
            throw .invalidSettings(
                .broadcast, "audio settings", "a broadcast cannot send \(copiedAudio.codec.rawValue) audio",
                "Encode the audio as aac.")
        }
        if let audio, audio.codec != .aac {
            throw .invalidSettings(
                .broadcast, "audio settings", "a broadcast cannot send \(audio.codec.rawValue) audio", "Use aac.")
        }
        for container in [MovieContainer.mp4] {
            try video.check(for: container)
            try audio?.check(for: container)
        }
        if let path = trustedCertificates, access(path, R_OK) != 0 {
            throw .invalidSettings(
                .broadcast, "trusted certificates",
                "\(path) cannot be read: \(SystemError.last.reason)",
                "Use a file with certificates in PEM format.")
        }
        guard (0.01...1).contains(lowestBitRate) else {
            throw .invalidSettings(
                .broadcast, "lowest bit rate",
                "it must be 0.01 to 1, a fraction of the requested bit rate, not \(lowestBitRate)")
        }
        for (name, time, least) in [
            ("queue limit", queueLimit, Duration.seconds(1)), ("connect timeout", connectTimeout, .milliseconds(100)),
            ("send timeout", sendTimeout, .milliseconds(100)), ("segment duration", segmentDuration, .seconds(1)),
        ] where time < least || time > .seconds(60) {
            throw .invalidSettings(.broadcast, name, "it must be \(least) to \(Duration.seconds(60)), not \(time)")
        }
        guard (1...10_000).contains(viewerLimit) else {
            throw .invalidSettings(.broadcast, "viewer limit", "it must be 1 to 10,000, not \(viewerLimit)")
        }
        guard (3...100).contains(segmentCount) else {
            throw .invalidSettings(.broadcast, "segment count", "it must be 3 to 100, not \(segmentCount)")
        }
    }
}

extension ObscuraError {
    static func unsupported(_ codec: VideoCodec) -> ObscuraError {
        .invalidSettings(
            .broadcast, "video settings", "at least one destination does not support \(codec.rawValue)", "Use h264.")
    }
}
