// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraMedia

/// Settings for encoding and sending a broadcast.
public struct BroadcastSettings: Sendable, Hashable {
    /// Video settings (default: H.264 with a key frame each second and without B-frames). Without a
    /// ``VideoSettings/bitRate``, ``defaultBitRate(_:_:)`` is used.
    public var video: VideoSettings
    /// Audio settings (default: AAC); nil sends no audio.
    public var audio: AudioSettings?
    /// Whether the video bit rate decreases while a destination is slow, and increases again afterwards. One encoder
    /// serves all destinations, so the slowest one determines the rate; movies are ignored. Only for encoders that
    /// support this while running: x264 and NVENC.
    public var adaptsBitRate = true
    /// The lowest video bit rate, as a fraction of the requested one (0.01 to 1), but at least 100,000 bits per second.
    public var lowestBitRate = 0.1
    /// Maximum duration that is queued for a destination before whole groups of pictures are dropped: 1 to 60 s, and at
    /// most 64 MiB. The limits for a movie are one minute and 256 MiB; if it exceeds them, it fails.
    public var queueLimit = Duration.seconds(3)
    /// Maximum time until the server has accepted the stream; 0.1 to 60 s.
    public var connectTimeout = Duration.seconds(10)
    /// Maximum time in which a server receives nothing before the connection counts as lost; 0.1 to 60 s.
    public var sendTimeout = Duration.seconds(5)
    /// Duration of HLS segments, as far as key frames permit; 1 to 60 s.
    public var segmentDuration = Duration.seconds(1)
    /// Number of segments in the HLS playlist, 3 to 100; the folder keeps three more.
    public var segmentCount = 6
    /// Maximum number of clients of an RTSP server on this host; 1 to 10,000. Further clients are rejected.
    ///
    /// Lower if the process is limited in open files or threads: a viewer can need 60 files and 24 threads, and some
    /// are reserved for recordings.
    public var viewerLimit = 100
    /// The path of a PEM file with certificates that are trusted instead of those of the system, for `rtmps://`.
    public var trustedCertificates: String?

    /// - Parameters:
    ///   - bitRate: video bit rate in bits per second; nil derives it from the frame size.
    ///   - audio: audio settings; nil sends no audio.
    public init(bitRate: Int? = nil, audio: AudioSettings? = AudioSettings()) {
        video = VideoSettings(bitRate: bitRate)
        video.keyFrameInterval = .seconds(1)
        self.audio = audio
    }

    /// Returns the default bit rate for a frame size and rate, in bits per second: a tenth of a bit per pixel, at least
    /// 300,000. 1280x720 at 30 frames per second gets 2.8 million, 1920x1080 gets 6.2 million.
    public static func defaultBitRate(_ size: PixelSize, _ rate: FrameRate) -> Int {
        let pixels = Double(size.width) * Double(size.height) * min(60, max(1, rate.framesPerSecond))
        return max(300_000, Int(pixels / 10))
    }

    /// Throws if the settings are invalid for the destinations, before anything is started.
    func check(_ destinations: [BroadcastDestination]) throws(ObscuraError) {
        guard video.codec == .h264 || (video.codec == .hevc && destinations.allSatisfy { $0.kind != .rtmp }) else {
            throw .invalidSettings(
                .broadcast, "video settings", "not every destination supports \(video.codec.rawValue)", "Use h264.")
        }
        if let audio, audio.codec != .aac {
            throw .invalidSettings(.broadcast, "audio settings", "\(audio.codec.rawValue) is not supported", "Use aac.")
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
            throw .invalidSettings(.broadcast, "lowest bit rate", "\(lowestBitRate) is not in 0.01...1 of the bit rate")
        }
        for (name, time, least) in [
            ("queue limit", queueLimit, Duration.seconds(1)), ("connect timeout", connectTimeout, .milliseconds(100)),
            ("send timeout", sendTimeout, .milliseconds(100)), ("segment duration", segmentDuration, .seconds(1)),
        ] where time < least || time > .seconds(60) {
            throw .invalidSettings(.broadcast, name, "\(time) is not in \(least)...\(Duration.seconds(60))")
        }
        guard (1...10_000).contains(viewerLimit) else {
            throw .invalidSettings(.broadcast, "viewer limit", "\(viewerLimit) is not in 1...10000")
        }
        guard (3...100).contains(segmentCount) else {
            throw .invalidSettings(.broadcast, "segment count", "\(segmentCount) is not in 3...100")
        }
    }
}
