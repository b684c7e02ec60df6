// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The format of a file with frames.
public enum FrameFileFormat: Sendable, Hashable {
    /// One JPEG file per frame.
    case jpeg
    /// One PNG file per frame.
    case png
    /// Uncompressed planes, row by row without padding, in this pixel format; nil keeps the pixel format of the frames.
    case raw(PixelFormat?)
    /// YUV4MPEG2: a header and the planes of all frames; see ``Y4MHeader``.
    case y4m

    /// Creates the format for a file extension; nil if the extension is not supported.
    ///
    /// - `jpg`, `jpeg`, `png` and `y4m`: the format of this name.
    /// - `raw`: ``raw(_:)`` with the pixel format of the frames.
    /// - `bgra`, `rgba`, `bgr24`, `rgb24`, `nv12`, `i420`, `yuv` (for i420), `gray8` and `gray` (for gray8):
    ///   ``raw(_:)`` with this pixel format.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        case "y4m": self = .y4m
        case "raw": self = .raw(nil)
        case "bgra": self = .raw(.bgra)
        case "rgba": self = .raw(.rgba)
        case "bgr24": self = .raw(.bgr24)
        case "rgb24": self = .raw(.rgb24)
        case "nv12": self = .raw(.nv12)
        case "i420", "yuv": self = .raw(.i420)
        case "gray", "gray8": self = .raw(.gray8)
        default: return nil
        }
    }

    /// The supported file extensions.
    public static let pathExtensions = [
        "jpg", "jpeg", "png", "y4m", "raw", "bgra", "rgba", "bgr24", "rgb24", "nv12", "i420", "yuv", "gray", "gray8",
    ]
}
