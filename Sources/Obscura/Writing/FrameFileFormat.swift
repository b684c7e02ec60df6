// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What a file of frames holds.
public enum FrameFileFormat: Sendable, Hashable {
    /// One JPEG for each frame.
    case jpeg
    /// One PNG for each frame.
    case png
    /// The planes, row after row without padding; in a format of its own, or nil for the frames' own.
    case raw(PixelFormat?)
    /// YUV4MPEG2: a header and the planes of all frames; see ``Y4MHeader``.
    case y4m

    /// The format that the ending of a file's name stands for: jpg, jpeg, png, y4m, raw (the frames' own
    /// format), bgra, rgba, bgr24, rgb24, nv12, i420, yuv (as i420), gray, gray8. Nil for others.
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

    /// The endings that are known, for messages.
    public static let pathExtensions = [
        "jpg", "jpeg", "png", "y4m", "raw", "bgra", "rgba", "bgr24", "rgb24", "nv12", "i420", "yuv", "gray", "gray8",
    ]
}
