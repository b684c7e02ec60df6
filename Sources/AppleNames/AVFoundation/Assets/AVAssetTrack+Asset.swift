// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVAssetTrack {
    /// The asset; nil after it was released.
    public var asset: AVAsset? { owner as? AVAsset }
}
