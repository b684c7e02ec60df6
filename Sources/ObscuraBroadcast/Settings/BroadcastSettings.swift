// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraMedia

/// How a broadcast is encoded and sent.
public struct BroadcastSettings: Sendable, Hashable {
    /// How pictures are made: H.264, unless given, with a key frame each second and no picture that refers to a later
    /// one. Without a ``VideoSettings/bitRate`` it is that of ``defaultBitRate(_:_:)``.
    public var video: VideoSettings
    /// How sound is made: AAC, unless given; nil sends none.
    public var audio: AudioSettings?
    /// Whether the bit rate of the pictures goes down while a destination takes less than it is given, and up again
    /// after. One encoder serves all destinations, so the slowest of them decides; movies have no say. Only for
    /// encoders that can do so while they run: x264 and NVENC.
    public var adaptsBitRate = true
    /// The bit rate of the pictures never goes below this part of what was asked for, and not below 100,000 bits a
    /// second; 0.01 to 1.
    public var lowestBitRate = 0.1
    /// How long a destination may be behind, before whole groups of pictures are left out for it: 1 to 60 s, and
    /// 64 MiB at most. A movie may be a minute behind, and 256 MiB; what it cannot take then ends it.
    public var queueLimit = Duration.seconds(3)
    /// How long a connection may take until the server has accepted the stream; 0.1 to 60 s.
    public var connectTimeout = Duration.seconds(10)
    /// How long a server may take nothing before it counts as gone; 0.1 to 60 s.
    public var sendTimeout = Duration.seconds(5)
    /// How long the segments of HLS are, as far as key frames allow; 1 to 60 s.
    public var segmentDuration = Duration.seconds(1)
    /// How many segments are in the list of HLS; the folder keeps three more. 3 to 100.
    public var segmentCount = 6
    /// How many may be connected to an RTSP server of this machine's; 1 to 10,000. More are sent away.
    ///
    /// Fewer if this process can have too few open files or threads: a viewer can need 60 files and 24 threads, and a
    /// reserve stays for recordings.
    public var viewerLimit = 100
    /// A file with certificates (PEM) that are trusted instead of the system's, for rtmps://.
    public var trustedCertificates: String?

    /// - Parameters:
    ///   - bitRate: of the pictures, in bits a second; nil goes by their size.
    ///   - audio: nil sends no sound.
    public init(bitRate: Int? = nil, audio: AudioSettings? = AudioSettings()) {
        video = VideoSettings(bitRate: bitRate)
        video.keyFrameInterval = .seconds(1)
        self.audio = audio
    }

    /// Bits a second for pictures of this size and rate: a tenth of a bit for each pixel, at least 300,000.
    /// 1280x720 at 30 frames a second gets 2.8 million, 1920x1080 gets 6.2.
    public static func defaultBitRate(_ size: PixelSize, _ rate: FrameRate) -> Int {
        let pixels = Double(size.width) * Double(size.height) * min(60, max(1, rate.framesPerSecond))
        return max(300_000, Int(pixels / 10))
    }

    /// Why nothing can be sent so, before anything is tried.
    func check(_ destinations: [BroadcastDestination]) throws(ObscuraError) {
        guard video.codec == .h264 || (video.codec == .hevc && destinations.allSatisfy { $0.kind != .rtmp }) else {
            throw .invalidSettings(
                .broadcast, "video settings", "\(video.codec.rawValue) is not sent to every destination", "Take h264.")
        }
        if let audio, audio.codec != .aac {
            throw .invalidSettings(.broadcast, "audio settings", "\(audio.codec.rawValue) is not sent", "Take aac.")
        }
        for container in [MovieContainer.mp4] {
            try video.check(for: container)
            try audio?.check(for: container)
        }
        if let path = trustedCertificates, access(path, R_OK) != 0 {
            throw .invalidSettings(
                .broadcast, "trusted certificates",
                "\(path) cannot be read: \(SystemError.last.reason)",
                "Give a file with certificates in the form PEM.")
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
