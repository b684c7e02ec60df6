// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Bytes.
public typealias CFData = Data

/// The bytes of a picture.
public final class CGDataProvider: Sendable {
    private let picture: PixelBuffer

    init(_ picture: PixelBuffer) {
        self.picture = picture
    }

    /// A copy of the rows, from the top to the bottom, each of ``CGImage/bytesPerRow`` bytes.
    public var data: CFData? {
        let (stride, used) = (picture.bytesPerRow(ofPlane: 0), picture.width * 4)
        var data = Data(count: stride * picture.height)
        picture.withBytes(ofPlane: 0) { source in
            source.withUnsafeBytes { source in
                data.withUnsafeMutableBytes { target in
                    for row in 0..<picture.height {
                        // Without the padding, which the last row may lack.
                        let bytes = (row * stride)..<(row * stride + used)
                        target[bytes].copyBytes(from: source[bytes])
                    }
                }
            }
        }
        return data
    }
}
