// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CMVideoDimensions {
    /// The number of pixels.
    var area: Int { Int(width) * Int(height) }

    /// The largest size with this aspect ratio inside of another one; this size if that is nil or larger.
    func fitted(_ limit: PixelSize?) -> CMVideoDimensions {
        guard let limit, area > 0 else { return self }
        let size = PixelSize(width: Int(width), height: Int(height))
        let part = VideoGravity.resizeAspect.targetRect(of: size, in: limit)
        guard part.width < size.width else { return self }
        return CMVideoDimensions(width: Int32(part.width), height: Int32(part.height))
    }
}
