// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

extension VideoFrame {
    /// The picture as asked for, brought upright first: what the source knows of its rotation is undone
    /// before `request` turns and mirrors it. Made once for each frame and request.
    ///
    /// - Throws: `ImagingError` if there can be no such picture, ``MediaError`` when there is no memory.
    public func uprightImage(_ request: ImageRequest) throws -> PixelBuffer {
        try image(request.upright(attachments))
    }
}

extension ImageRequest {
    /// The request for a picture that first has to be brought upright.
    ///
    /// A mirror turns the sense of the turns that follow it: turn(b) after mirror is mirror after turn(-b).
    func upright(_ attachments: VideoFrame.Attachments) -> ImageRequest {
        var request = self
        let turn = attachments.isMirrored ? Orientation(degrees: -orientation.degrees) : orientation
        request.orientation = attachments.uprightTurn.followed(by: turn)
        request.isMirrored = isMirrored != attachments.isMirrored
        return request
    }
}
