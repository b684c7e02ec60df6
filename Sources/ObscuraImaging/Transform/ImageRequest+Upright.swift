// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension ImageRequest {
    /// Returns the request for a picture that must first be made upright.
    ///
    /// Mirroring reverses the direction of later rotations: rotate(b) after mirror equals mirror after rotate(-b).
    package func upright(_ attachments: VideoFrame.Attachments) -> ImageRequest {
        var request = self
        let turn = attachments.isMirrored ? Orientation(degrees: -orientation.degrees) : orientation
        request.orientation = attachments.uprightTurn.followed(by: turn)
        request.isMirrored = isMirrored != attachments.isMirrored
        return request
    }
}
