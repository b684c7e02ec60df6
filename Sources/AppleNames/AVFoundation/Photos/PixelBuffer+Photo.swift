// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension PixelBuffer {
    /// Returns a copy in a pixel format, fitted into a size if it is larger.
    func converted(_ type: OSType, _ limit: PixelSize?) throws -> PixelBuffer {
        let format = PixelFormat.of(type)
        var request = ImageRequest(pixelFormat: format?.format)
        switch format?.range {
        case .full: request.colorSpace = .jpeg
        case .limited: request.colorSpace = colorSpace.range == .full ? .bt601 : nil
        case nil: break
        }
        let size = CMVideoDimensions(width: Int32(width), height: Int32(height)).fitted(limit)
        request.size = PixelSize(width: Int(size.width), height: Int(size.height))
        request.fit = .stretch
        return try ImageTransformer.transform(self, request)
    }
}
