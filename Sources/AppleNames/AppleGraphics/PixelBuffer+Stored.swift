// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

extension PixelBuffer {
    /// Decodes the picture of a photo's file, without the rotation that makes it upright.
    package static func stored(in bytes: [UInt8], _ info: StillInfo) throws -> PixelBuffer {
        switch info.kind {
        case .jpeg: try JPEGDecoder.decode(bytes)
        case .png: try PNGDecoder.decode(bytes)
        }
    }
}
