// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension PixelBuffer {
    /// Returns a copy in a pixel format, fitted into a size if it is larger.
    func converted(_ type: OSType, _ limit: PixelSize?) throws -> PixelBuffer {
        let format = PixelFormat.of(type)
        var request = ImageRequest(pixelFormat: format?.format)
        request.keepColors(of: self, range: format?.range)
        let size = CMVideoDimensions(width: Int32(width), height: Int32(height)).fitted(limit)
        request.size = PixelSize(width: Int(size.width), height: Int(size.height))
        request.fit = .stretch
        // The transformation of a picture that needs no change is the frame itself, of which the output has only a few.
        let isUnchanged =
            request.pixelFormat == self.format && request.size == self.size
            && (request.colorSpace ?? colorSpace) == colorSpace
        return isUnchanged ? try copy() : try ImageTransformer.transform(self, request)
    }
}
