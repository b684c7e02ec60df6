// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What can fail when pictures are converted, encoded or decoded.
public struct ImagingError: ObscuraError, Hashable {
    /// What kind of failure it is.
    public enum Code: String, Sendable, Hashable {
        /// There is no way from the one pixel format to the other.
        case unsupportedFormat
        /// The request makes no sense for the picture: a crop outside of it, an empty size.
        case invalidRequest
        /// The bytes are no picture, or not a whole one.
        case damagedData
        /// A side is longer than the format or this library allows.
        case tooLarge
        /// The codec did not work for a reason that lies neither in the picture nor in the request.
        case codecFailed
        /// The file is not there, or may not be read.
        case unreadable
        /// There is no font to draw a text with.
        case noFont
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which picture it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?

    static func unsupportedFormat(_ format: PixelFormat, from source: PixelFormat) -> ImagingError {
        ImagingError(
            code: .unsupportedFormat, subject: "picture in \(source.rawValue)",
            reason: "it cannot be made \(format.rawValue) like this",
            advice: "Ask for bgra, rgba, bgr24, rgb24, nv12, i420, i422, i444 or gray8.")
    }

    static func compressed(_ format: PixelFormat) -> ImagingError {
        ImagingError(
            code: .unsupportedFormat, subject: "picture in \(format.rawValue)", reason: "it is compressed",
            advice: "Decode it first.")
    }

    static func invalidCrop(_ crop: PixelRect, of size: PixelSize) -> ImagingError {
        ImagingError(
            code: .invalidRequest, subject: "picture of \(size)",
            reason: "the part \(crop.width)x\(crop.height) at (\(crop.x), \(crop.y)) does not lie in it",
            advice: "Ask for a part of at least one pixel, inside of the picture.")
    }

    static func invalidSize(_ size: PixelSize) -> ImagingError {
        ImagingError(
            code: .invalidRequest, subject: "size \(size)", reason: "each side must be 1 to 32768 pixels",
            advice: nil)
    }

    static func damaged(_ subject: String, _ reason: String) -> ImagingError {
        ImagingError(code: .damagedData, subject: subject, reason: reason, advice: nil)
    }

    static func tooLarge(_ subject: String, limit: Int) -> ImagingError {
        ImagingError(
            code: .tooLarge, subject: subject, reason: "each side may have at most \(limit) pixels",
            advice: "Ask for a smaller picture.")
    }

    static func codecFailed(_ subject: String, _ reason: String) -> ImagingError {
        ImagingError(code: .codecFailed, subject: subject, reason: reason, advice: nil)
    }
}
