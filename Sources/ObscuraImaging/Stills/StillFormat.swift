// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The file formats of a still.
public enum StillFormat: Sendable, Hashable {
    /// JPEG with a quality from 1 to 100. If the quality is nil, `PhotoOutput` copies the compressed frame of a JPEG
    /// camera where possible; other pictures are encoded with quality 90.
    case jpeg(quality: Int? = nil)
    /// PNG with a zlib compression level from 0 to 9.
    case png(compressionLevel: Int = 1)

    /// The quality of a JPEG for which none is given.
    static let defaultQuality = 90

    /// The kind of file, without the quality or the compression level.
    public var kind: StillInfo.Kind {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}
