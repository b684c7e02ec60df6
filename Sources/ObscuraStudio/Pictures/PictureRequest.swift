// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What somebody wants to see of a camera. Equal requests share one stream.
struct PictureRequest: Sendable, Hashable {
    /// The box in which the picture is shown, in pixels.
    var box: PixelSize
    var gravity: VideoGravity
    /// Nil does as the camera.
    var isMirrored: Bool?
    /// At most so many pictures a second; nil for all.
    var rate: Int?
    /// Of the JPEG, 1 to 100.
    var quality = 75

    static let smallestSide = 16
    static let largestSide = 3840
    static let usualWidth = 1280

    /// The same request in the form that all have that come to the same: with the size of the picture itself, which is
    /// never larger than what the camera gives.
    ///
    /// - Parameter picture: the camera's picture, upright and turned; nil where it is not known yet.
    func settled(for picture: PixelSize?) -> PictureRequest {
        var request = self
        request.box.width = min(max(box.width, Self.smallestSide), Self.largestSide)
        request.box.height = min(max(box.height, Self.smallestSide), Self.largestSide)
        guard let picture, picture.width > 0, picture.height > 0 else { return request }
        // The part of the picture that is seen, and how large. Enlarging is the viewer's affair: it adds bytes and
        // nothing to see.
        let source = gravity.sourceRect(of: picture, for: request.box)
        let target = gravity.targetRect(of: picture, in: request.box)
        let isEnlarged = target.width >= source.width && target.height >= source.height
        let shown = isEnlarged ? source : target
        request.box = PixelSize(width: shown.width, height: shown.height)
        return request
    }
}
