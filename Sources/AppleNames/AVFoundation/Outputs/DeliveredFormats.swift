// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension OSType {
    /// The pixel formats in which frames of cameras and movies are delivered.
    static let deliveredFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA,
    ]
}

extension ImageRequest {
    /// Keeps the colors of a picture, in a range; nil for any.
    mutating func keepColors(of picture: PixelBuffer, range: ColorSpace.Range?) {
        guard let range else { return }
        colorSpace = picture.colorSpace
        colorSpace?.range = range
    }
}
