// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The settings of a view of a camera. Equal requests share one stream.
struct PictureRequest: Sendable, Hashable {
    /// The box in which the picture is displayed, in pixels.
    var box: PixelSize
    var gravity: VideoGravity
    /// Whether to mirror; nil follows the camera's setting.
    var isMirrored: Bool?
    /// Maximum frame rate, in frames per second; nil for all frames.
    var rate: Int?
    /// JPEG quality, 1 to 100.
    var quality = 75

    static let smallestSide = 16
    static let largestSide = 3840
    static let usualWidth = 1280

    /// Returns the request in a normalized form, which is the same for all requests with the same result: its box is
    /// the size of the encoded picture, which never exceeds the camera's frame size.
    ///
    /// - Parameter picture: the camera's frame size after orientation; nil if not yet known.
    func settled(for picture: PixelSize?) -> PictureRequest {
        var request = self
        request.box.width = min(max(box.width, Self.smallestSide), Self.largestSide)
        request.box.height = min(max(box.height, Self.smallestSide), Self.largestSide)
        guard let picture, picture.width > 0, picture.height > 0 else { return request }
        // The visible part of the frame, and its size. Never enlarged: that would add bytes but no detail, and viewers
        // can scale.
        let source = gravity.sourceRect(of: picture, for: request.box)
        let target = gravity.targetRect(of: picture, in: request.box)
        let isEnlarged = target.width >= source.width && target.height >= source.height
        let shown = isEnlarged ? source : target
        request.box = PixelSize(width: shown.width, height: shown.height)
        return request
    }
}
