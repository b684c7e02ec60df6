// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVAsset {
    /// Returns the tracks of a kind of media. If the movie is not open yet, it is opened on another thread.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await source.load()
        return tracks(withMediaType: mediaType)
    }

    /// Returns the tracks of a kind of media; see ``loadTracks(withMediaType:)``.
    ///
    /// - Parameter completionHandler: called on an arbitrary thread, with the tracks or an `ObscuraError`.
    @preconcurrency
    public func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        load(completionHandler) { $0.tracks(withMediaType: mediaType) }
    }

    /// Returns the track with a number; nil if there is none.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try await source.load()
        return track(withTrackID: trackID)
    }

    /// Returns the track with a number; see ``loadTrack(withTrackID:)``.
    ///
    /// - Parameter completionHandler: called on an arbitrary thread, with the track or an `ObscuraError`.
    @preconcurrency
    public func loadTrack(
        withTrackID trackID: CMPersistentTrackID,
        completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
    ) {
        load(completionHandler) { $0.track(withTrackID: trackID) }
    }

    /// Returns the metadata items of a format.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await source.load()
        return metadata(forFormat: format)
    }

    private func load<Value>(
        _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ value: @escaping @Sendable (AVAsset) -> Value?
    ) {
        source.load { result in
            switch result {
            case .success: handler(value(self), nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }
}
