// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The sizes of thumbnails, as in the freedesktop.org thumbnail specification.
public enum ThumbnailSize: String, Sendable, Hashable, Codable, CaseIterable {
    /// At most 128x128 pixels.
    case normal
    /// At most 256x256 pixels.
    case large
    /// At most 512x512 pixels.
    case extraLarge = "x-large"
    /// At most 1024x1024 pixels.
    case extraExtraLarge = "xx-large"

    /// The size to fit thumbnails in.
    public var size: PixelSize {
        let side =
            switch self {
            case .normal: 128
            case .large: 256
            case .extraLarge: 512
            case .extraExtraLarge: 1024
            }
        return PixelSize(width: side, height: side)
    }
}
