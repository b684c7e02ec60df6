// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Whether times must be exact. Without effect here: times are always those of the index of the file.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// A movie at an address; see ``AVAsset``.
public final class AVURLAsset: AVAsset, @unchecked Sendable {  // The address never changes.
    /// The address of a file, or of a network source.
    public let url: URL

    /// Creates an asset. Nothing is opened yet.
    ///
    /// - Parameter options: without effect.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(AssetSource(url))
    }

    required init(unspecific url: URL) {
        self.url = url
        super.init(unspecific: url)
    }
}
