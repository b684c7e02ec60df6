// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVPartialAsyncProperty where Root: AVAsset {
    /// See ``AVAsset/duration``.
    public static var duration: AVAsyncProperty<Root, CMTime> { .init { $0.duration } }
    /// See ``AVAsset/tracks``.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { .init { $0.tracks } }
    /// See ``AVAsset/preferredTransform``.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> { .init { $0.preferredTransform } }
    /// See ``AVAsset/isPlayable``.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { .init { $0.isPlayable } }
    /// See ``AVAsset/isReadable``.
    public static var isReadable: AVAsyncProperty<Root, Bool> { .init { $0.isReadable } }
    /// See ``AVAsset/metadata``.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init { $0.metadata } }
    /// See ``AVAsset/commonMetadata``.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init { $0.commonMetadata } }
    /// See ``AVAsset/availableMetadataFormats``.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        .init { $0.availableMetadataFormats }
    }
    /// See ``AVAsset/creationDate``.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> { .init { $0.creationDate } }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// See ``AVAssetTrack/formatDescriptions``.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> { .init { $0.descriptions } }
    /// See ``AVAssetTrack/isPlayable``.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { .init { $0.isPlayable } }
    /// See ``AVAssetTrack/isDecodable``.
    public static var isDecodable: AVAsyncProperty<Root, Bool> { .init { $0.isDecodable } }
    /// See ``AVAssetTrack/isEnabled``.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { .init { $0.isEnabled } }
    /// See ``AVAssetTrack/isSelfContained``.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> { .init { $0.isSelfContained } }
    /// See ``AVAssetTrack/timeRange``.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { .init { $0.timeRange } }
    /// See ``AVAssetTrack/naturalTimeScale``.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> { .init { $0.naturalTimeScale } }
    /// See ``AVAssetTrack/estimatedDataRate``.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> { .init { $0.estimatedDataRate } }
    /// See ``AVAssetTrack/languageCode``.
    public static var languageCode: AVAsyncProperty<Root, String?> { .init { $0.languageCode } }
    /// See ``AVAssetTrack/extendedLanguageTag``.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> { .init { $0.extendedLanguageTag } }
    /// See ``AVAssetTrack/naturalSize``.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { .init { $0.naturalSize } }
    /// See ``AVAssetTrack/preferredTransform``.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> { .init { $0.preferredTransform } }
    /// See ``AVAssetTrack/nominalFrameRate``.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> { .init { $0.nominalFrameRate } }
    /// See ``AVAssetTrack/minFrameDuration``.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> { .init { $0.minFrameDuration } }
}
