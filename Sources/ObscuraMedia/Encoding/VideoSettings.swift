// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// How the pictures of a movie are made.
public struct VideoSettings: Sendable, Hashable {
    /// A subset of a codec that players promise to know.
    public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
        /// H.264 for the weakest players.
        case baseline
        /// H.264 or HEVC.
        case main
        /// H.264 as nearly everything plays it.
        case high
        /// HEVC with 10 bits; only for pictures that have as many.
        case main10
    }

    /// How the pictures are compressed.
    public var codec: VideoCodec
    /// Bits a second, as an average; nil to keep the ``quality`` instead.
    public var bitRate: Int?
    /// From 0 (small) to 1 (good); 0.6 without a word of yours. Only where there is no ``bitRate``.
    public var quality: Double?
    /// The size of the movie; nil takes that of the first frame, upright. H.264 and HEVC need even sides: an odd one
    /// becomes one pixel smaller.
    public var size: PixelSize?
    /// How a frame of another shape meets the size; with ``ImageRequest/Fit/aspect`` the rest is black.
    public var fit = ImageRequest.Fit.aspect
    /// Frames a second, where that is known. It only guides the encoder: the times are those of the frames.
    public var frameRate: FrameRate?
    /// The longest time between two places at which playing can begin.
    public var keyFrameInterval: Duration = .seconds(2)
    /// Nil leaves it to the encoder.
    public var profile: Profile?
    /// Which encoders may be taken.
    public var encoders = EncoderPolicy()

    /// - Parameters:
    ///   - bitRate: bits a second.
    ///   - quality: 0 to 1, if there is no bit rate.
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

    /// Why a movie cannot be made so, before anything is tried.
    package func check(for container: MovieContainer) throws(ObscuraError) {
        let subject = "video settings"
        guard container.takes(codec) else {
            let others = VideoCodec.allCases.filter(container.takes).map(\.rawValue).joined(separator: ", ")
            throw .invalidSettings(
                .recording, subject, "\(container.rawValue) does not take \(codec.rawValue)",
                "Take one of \(others), or an mkv file, which takes all.")
        }
        if let bitRate, !(1_000...1_000_000_000).contains(bitRate) {
            throw .invalidSettings(
                .recording, subject, "a bit rate of \(bitRate) is not in 1,000...1,000,000,000 bits a second")
        }
        if let quality, !(0...1).contains(quality) {
            throw .invalidSettings(.recording, subject, "a quality of \(quality) is not in 0...1")
        }
        if let size, !(16...16_384).contains(size.width) || !(16...16_384).contains(size.height) {
            throw .invalidSettings(.recording, subject, "a size of \(size) is not in 16...16384 on each side")
        }
        if keyFrameInterval <= .zero || keyFrameInterval > .seconds(600) {
            throw .invalidSettings(
                .recording, subject, "the time between key frames must be more than 0 and at most 600 s")
        }
        switch (profile, codec) {
        case (nil, _), (.baseline, .h264), (.main, .h264), (.high, .h264), (.main, .hevc), (.main10, .hevc): break
        case (let profile?, _):
            throw .invalidSettings(.recording, subject, "\(codec.rawValue) has no profile \(profile.rawValue)")
        }
    }
}
