// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

extension VideoFrame {
    /// The picture as asked for, brought upright first: what the source knows of its rotation is undone
    /// before `request` turns and mirrors it. Made once for each frame and request.
    ///
    /// - Throws: `ObscuraError` if there can be no such picture, ``ObscuraError`` when there is no memory.
    public func uprightImage(_ request: ImageRequest) throws -> PixelBuffer {
        try image(request.upright(attachments))
    }
}
