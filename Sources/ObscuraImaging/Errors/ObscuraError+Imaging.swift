// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension ObscuraError.Domain {
    /// The domain of errors of conversion, effects, and encoding and decoding of images.
    public static let imaging = Self("imaging")
}

extension ObscuraError.Code {
    /// The codec failed for a reason other than the image or the request, such as a lack of memory.
    public static let codecFailed = Self("codecFailed")
    /// No font is available.
    public static let noFont = Self("noFont")
}

extension ObscuraError {
    static func unsupportedFormat(_ format: PixelFormat, from source: PixelFormat) -> ObscuraError {
        ObscuraError(
            .imaging, .unsupportedFormat, subject: "image in \(source.rawValue)",
            reason: "it cannot be converted to \(format.rawValue)",
            advice: "Request bgra, rgba, bgr24, rgb24, nv12, i420, i422, i444 or gray8.")
    }

    static func compressed(_ format: PixelFormat) -> ObscuraError {
        ObscuraError(
            .imaging, .unsupportedFormat, subject: "image in \(format.rawValue)",
            reason: "a compressed image cannot be converted", advice: "Decode the image first.")
    }

    static func invalidCrop(_ crop: PixelRect, of size: PixelSize) -> ObscuraError {
        ObscuraError(
            .imaging, .invalidRequest, subject: "image of \(size)",
            reason: "the crop \(crop.width)x\(crop.height) at (\(crop.x), \(crop.y)) is not inside the image",
            advice: "Request a crop of at least one pixel inside the image.")
    }

    static func invalidSize(_ size: PixelSize) -> ObscuraError {
        ObscuraError(
            .imaging, .invalidRequest, subject: "size \(size)", reason: "each side must be 1 to 32768 pixels",
            advice: nil)
    }

    static func damaged(_ subject: String, _ reason: String) -> ObscuraError {
        ObscuraError(.imaging, .damaged, subject: subject, reason: reason, advice: nil)
    }

    static func tooLarge(_ subject: String, limit: Int) -> ObscuraError {
        ObscuraError(
            .imaging, .tooLarge, subject: subject, reason: "each side may have at most \(limit) pixels",
            advice: "Use a smaller image.")
    }

    static func codecFailed(_ subject: String, _ reason: String) -> ObscuraError {
        ObscuraError(.imaging, .codecFailed, subject: subject, reason: reason, advice: nil)
    }
}
