// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The kinds of files that a still is written to.
public enum StillFormat: Sendable, Hashable {
    /// A JPEG of a quality from 1 to 100.
    case jpeg(quality: Int = 90)
    /// A PNG, compressed by a level of zlib's from 0 to 9.
    case png(compressionLevel: Int = 1)

    /// What the file is, whatever its quality.
    public var kind: StillInfo.Kind {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}
