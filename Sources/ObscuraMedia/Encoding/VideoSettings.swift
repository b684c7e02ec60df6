// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The settings of the video of a movie.
public struct VideoSettings: Sendable, Hashable {
    /// A codec profile: the subset of the codec that a player must support.
    public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
        /// The Baseline profile of H.264, for the simplest players.
        case baseline
        /// The Main profile of H.264 or HEVC.
        case main
        /// The High profile of H.264, supported by nearly all players.
        case high
        /// The Main 10 profile of HEVC; only for frames with 10 bits per sample.
        case main10
    }

    /// The codec.
    public var codec: VideoCodec
    /// The average bit rate in bits per second; nil for constant ``quality``.
    public var bitRate: Int?
    /// The quality, from 0 (small files) to 1 (best); nil for 0.6. Ignored if ``bitRate`` is set.
    public var quality: Double?
    /// The size of the movie, in pixels; nil for the size of the first frame, rotated upright. For H.264 and HEVC, an
    /// odd width or height is reduced by one pixel.
    public var size: PixelSize?
    /// The fit of frames whose aspect ratio differs from that of the movie. With ``ImageRequest/Fit/aspect``, the
    /// borders are black.
    public var fit = ImageRequest.Fit.aspect
    /// The frame rate, as a hint for the encoder; nil for the rate of the source. The timestamps of the
    /// frames are not changed.
    public var frameRate: FrameRate?
    /// The maximum time between two key frames. Playback can start only at a key frame.
    public var keyFrameInterval: Duration = .seconds(2)
    /// The profile; nil for the encoder's default.
    public var profile: Profile?
    /// The encoders that may be used.
    public var encoders = EncoderPolicy()

    /// Creates video settings; by default H.264 at constant quality.
    ///
    /// - Parameters:
    ///   - codec: the codec.
    ///   - bitRate: the average bit rate, in bits per second; nil for constant quality.
    ///   - quality: 0 to 1, used if `bitRate` is nil; nil for 0.6.
    ///   - size: the size in pixels; nil for the size of the first frame, rotated upright.
    ///   - frameRate: the frame rate, as a hint for the encoder; nil for the rate of the source.
    public init(
        codec: VideoCodec = .h264, bitRate: Int? = nil, quality: Double? = nil, size: PixelSize? = nil,
        frameRate: FrameRate? = nil
    ) {
        self.codec = codec
        self.bitRate = bitRate
        self.quality = quality
        self.size = size
        self.frameRate = frameRate
    }

    /// Throws ``ObscuraError/Code/invalidSettings`` if a value is out of range or not supported by the container. Opens
    /// no encoder.
    package func check(for container: MovieContainer) throws(ObscuraError) {
        let subject = "video settings"
        guard container.takes(codec) else {
            let others = VideoCodec.allCases.filter(container.takes).map(\.rawValue).joined(separator: ", ")
            throw .invalidSettings(
                .recording, subject, "\(container.rawValue) files do not support \(codec.rawValue)",
                "Choose one of \(others), or an mkv file, which supports all codecs.")
        }
        if let bitRate, !(1_000...1_000_000_000).contains(bitRate) {
            throw .invalidSettings(
                .recording, subject, "the bit rate must be 1,000 to 1,000,000,000 bits per second, not \(bitRate)")
        }
        if let quality, !(0...1).contains(quality) {
            throw .invalidSettings(.recording, subject, "the quality must be 0 to 1, not \(quality)")
        }
        if let size, !(16...16_384).contains(size.width) || !(16...16_384).contains(size.height) {
            throw .invalidSettings(
                .recording, subject, "the size must be 16 to 16384 pixels on each side, not \(size)")
        }
        if keyFrameInterval <= .zero || keyFrameInterval > .seconds(600) {
            throw .invalidSettings(
                .recording, subject,
                "the time between key frames must be more than 0 and at most 600 s, not \(keyFrameInterval)")
        }
        switch (profile, codec) {
        case (nil, _), (.baseline, .h264), (.main, .h264), (.high, .h264), (.main, .hevc), (.main10, .hevc): break
        case (let profile?, _):
            throw .invalidSettings(.recording, subject, "\(codec.rawValue) has no profile \(profile.rawValue)")
        }
    }
}
