// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

extension VideoFrame {
    /// Returns the requested image, rotated upright first: the rotation reported by the source is undone before
    /// `request` rotates and mirrors. The image is cached for each frame and request.
    ///
    /// - Throws: ``ObscuraError`` if the request is invalid, or if no memory is left.
    public func uprightImage(_ request: ImageRequest) throws -> PixelBuffer {
        try image(request.upright(attachments))
    }
}
