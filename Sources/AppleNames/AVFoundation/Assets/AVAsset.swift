// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A movie: a file, or an address that FFmpeg can read.
///
/// The first access to a property opens the movie. It blocks the thread, for seconds on a network.
/// ``AVAsynchronousKeyValueLoading/load(_:)`` does not block. If the movie cannot be read, its times are invalid, and
/// its lists are empty. Thread-safe.
public class AVAsset: NSObject, NSCopying, @unchecked Sendable {
    // `@unchecked Sendable` is safe because all state of this class and its subclass is constant or in the lock.

    let source: AssetSource
    private let made = Lock<[AVAssetTrack]?>(nil)

    init(_ source: AssetSource) {
        self.source = source
        super.init()
    }

    required init(unspecific url: URL) {
        source = AssetSource(url)
        super.init()
    }

    /// Returns the asset itself, which does not change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The contents; nil for a movie that cannot be read. Blocks until they are read.
    var contents: MovieContents? { try? source.contents() }

    // MARK: Properties

    /// The duration: up to the end of the last track. Indefinite if the movie does not specify it, such as a live
    /// stream.
    public var duration: CMTime {
        guard let contents else { return .invalid }
        return contents.duration(of: tracks)
    }

    /// The rotation of the first video track; the identity if there is none.
    public var preferredTransform: CGAffineTransform {
        tracks(withMediaType: .video).first?.preferredTransform ?? .identity
    }

    /// Whether there is a track of video or sound that can be decoded.
    public var isPlayable: Bool { tracks.contains { $0.isDecodable } }

    /// Whether an `AVAssetReader` can read the asset: it is a file with a track that can be decoded.
    public var isReadable: Bool { source.isFile && isPlayable }

    // MARK: Tracks

    /// The tracks of video and sound, in the order of the file.
    public var tracks: [AVAssetTrack] {
        guard let contents else { return [] }
        return made.withLock { made in
            let tracks = made ?? AVAssetTrack.tracks(of: contents, source, owner: self)
            made = tracks
            return tracks
        }
    }

    /// Returns the tracks of a kind of media.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the track with a number; nil if there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    // MARK: Metadata

    /// The metadata items.
    public var metadata: [AVMetadataItem] { contents.map { AVMetadataItem.items(of: $0.metadata) } ?? [] }

    /// The metadata items that have a ``AVMetadataItem/commonKey``.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// The formats of the metadata. All metadata is read as QuickTime metadata.
    public var availableMetadataFormats: [AVMetadataFormat] { metadata.isEmpty ? [] : [.quickTimeMetadata] }

    /// Returns the metadata items of a format.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        format == .quickTimeMetadata ? metadata : []
    }

    /// The date of creation; nil if it is not specified.
    public var creationDate: AVMetadataItem? { metadata.first { $0.commonKey == .commonKeyCreationDate } }
}

extension MovieContents {
    /// The latest end of the tracks, as far as it is known.
    fileprivate func duration(of tracks: [AVAssetTrack]) -> CMTime {
        let ends = tracks.map(\.timeRange.end).filter(\.isNumeric)
        return ends.max() ?? duration.map(CMTime.init) ?? .indefinite
    }
}
