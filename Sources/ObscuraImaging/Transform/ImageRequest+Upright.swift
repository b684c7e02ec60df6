// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension ImageRequest {
    /// The request for a picture that first has to be brought upright.
    ///
    /// A mirror turns the sense of the turns that follow it: turn(b) after mirror is mirror after turn(-b).
    package func upright(_ attachments: VideoFrame.Attachments) -> ImageRequest {
        var request = self
        let turn = attachments.isMirrored ? Orientation(degrees: -orientation.degrees) : orientation
        request.orientation = attachments.uprightTurn.followed(by: turn)
        request.isMirrored = isMirrored != attachments.isMirrored
        return request
    }
}
