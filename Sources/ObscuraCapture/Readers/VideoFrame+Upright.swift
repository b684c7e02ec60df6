// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

extension VideoFrame {
    /// Returns the image that `request` describes, made from the upright frame. The frame is first rotated and mirrored
    /// as its `attachments` specify, then rotated and mirrored as `request` specifies. The crop of `request` applies
    /// before both rotations. The image is cached: a second call with an equal request returns the same buffer.
    ///
    /// - Throws: ``ObscuraError`` if the request is invalid, or if no memory is left.
    public func uprightImage(_ request: ImageRequest) throws -> PixelBuffer {
        try image(request.upright(attachments))
    }
}
