// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The number of a track; 0 stands for none.
public typealias CMPersistentTrackID = Int32
/// No track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// A track of video or sound. Thread-safe.
public final class AVAssetTrack: NSObject, NSCopying, Sendable {
    let source: AssetSource
    /// The position of the stream in the file.
    let index: Int
    private let stream: MovieContents.Stream
    /// The duration of the movie, for a track that does not specify one.
    private let movieDuration: MediaTime?
    /// The asset.
    weak let owner: (any NSObject & Sendable)?
    /// The kind of media.
    public let mediaType: AVMediaType

    private init?(
        _ stream: MovieContents.Stream, at index: Int, _ contents: MovieContents, _ source: AssetSource,
        owner: any NSObject & Sendable
    ) {
        switch stream.kind {
        case .video where !stream.isCover: mediaType = .video
        case .audio: mediaType = .audio
        default: return nil
        }
        self.source = source
        self.index = index
        self.stream = stream
        movieDuration = contents.duration
        self.owner = owner
        super.init()
    }

    static func tracks(
        of contents: MovieContents, _ source: AssetSource, owner: any NSObject & Sendable
    ) -> [AVAssetTrack] {
        contents.streams.enumerated().compactMap {
            AVAssetTrack($0.element, at: $0.offset, contents, source, owner: owner)
        }
    }

    /// Returns the track itself, which does not change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The position of the track in the file, counted from 1.
    public var trackID: CMPersistentTrackID { CMPersistentTrackID(index + 1) }

    /// The codec, with the size of video, or the rate and the channels of sound.
    public var formatDescriptions: [Any] { descriptions }
    var descriptions: [CMFormatDescription] { [CMFormatDescription(stream)] }

    /// Whether the track can be decoded.
    public var isDecodable: Bool { stream.isDecodable }
    /// Whether the track can be decoded.
    public var isPlayable: Bool { stream.isDecodable }
    /// Whether players select the track by default.
    public var isEnabled: Bool { stream.isDefault }
    /// Whether the media is in the file itself; always true.
    public var isSelfContained: Bool { true }

    /// The times of the track. The duration is indefinite if the file does not specify it.
    public var timeRange: CMTimeRange {
        let duration = stream.duration ?? movieDuration
        return CMTimeRange(
            start: CMTime(stream.startTime ?? .zero), duration: duration.map(CMTime.init) ?? .indefinite)
    }

    /// The number of units of time per second; 0 if this is not an integer.
    public var naturalTimeScale: CMTimeScale { stream.timescale ?? 0 }

    /// The average bit rate, in bits per second; 0 if it is unknown.
    public var estimatedDataRate: Float { Float(stream.bitRate ?? 0) }

    /// The language, as three letters of ISO 639-2; nil if it is not specified.
    public var languageCode: String? { stream.language }

    /// The language, as a tag of IETF BCP 47; nil if it is not specified.
    public var extendedLanguageTag: String? {
        stream.language.map { Locale.LanguageCode($0).identifier(.alpha2) ?? $0 }
    }

    // MARK: Video

    /// The size of the frames before ``preferredTransform``, in pixels; zero for sound.
    public var naturalSize: CGSize {
        stream.size.map { CGSize(width: $0.width, height: $0.height) } ?? .zero
    }

    /// The transform that makes the frames upright. The y axis points down, and the top left corner of the result is at
    /// the origin.
    public var preferredTransform: CGAffineTransform {
        guard let size = stream.size else { return .identity }
        return CGAffineTransform(uprightTurn: stream.uprightTurn, isMirrored: stream.isMirrored, size)
    }

    /// The frame rate, an average if it varies; 0 for sound.
    public var nominalFrameRate: Float { Float(stream.frameRate?.framesPerSecond ?? 0) }

    /// The duration of a frame at ``nominalFrameRate``; invalid for sound.
    public var minFrameDuration: CMTime { stream.frameRate.map { CMTime($0.frameDuration) } ?? .invalid }
}
