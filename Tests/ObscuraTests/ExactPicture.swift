// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CExactPictures
import ObscuraMedia

/// How far a BGRA picture is from the exact colours of the decoder's samples, and from other bytes.
enum ExactPicture {
    /// The largest difference of any channel of any pixel; nil if the sizes or formats do not fit.
    static func largestDifference(of bgra: PixelBuffer, from source: PixelBuffer) -> Int? {
        guard bgra.format == .bgra, bgra.size == source.size, source.planeCount == 3 else { return nil }
        let subsampling = source.format.chromaSubsampling
        let space = source.colorSpace
        return source.withPlanes { planes in
            var picture = EPPicture(
                y: planes[0].base.assumingMemoryBound(to: UInt8.self),
                u: planes[1].base.assumingMemoryBound(to: UInt8.self),
                v: planes[2].base.assumingMemoryBound(to: UInt8.self), y_stride: planes[0].bytesPerRow,
                u_stride: planes[1].bytesPerRow, v_stride: planes[2].bytesPerRow, width: Int32(source.width),
                height: Int32(source.height), depth: Int32(source.format.bitDepth),
                shift_x: Int32(subsampling.horizontal - 1), shift_y: Int32(subsampling.vertical - 1),
                kr: space.matrix.kr, kb: space.matrix.kb, is_full: space.range == .full ? 1 : 0)
            return bgra.withPlanes { target in
                Int(
                    ep_largest_difference(
                        &picture, target[0].base.assumingMemoryBound(to: UInt8.self), target[0].bytesPerRow))
            }
        }
    }

    /// The largest difference of any colour from the bytes that ffmpeg wrote for the same picture.
    static func largestDifference(of bgra: PixelBuffer, from raw: ArraySlice<UInt8>) -> Int? {
        guard raw.count == bgra.width * bgra.height * 4 else { return nil }
        return raw.withUnsafeBytes { raw in
            bgra.withBytes(ofPlane: 0) { span in
                let stride = bgra.bytesPerRow(ofPlane: 0)
                var largest = 0
                for row in 0..<bgra.height {
                    for byte in 0..<bgra.width * 4 where byte % 4 != 3 {
                        let own = Int(span.unsafeLoad(fromByteOffset: row * stride + byte, as: UInt8.self))
                        largest = max(largest, abs(own - Int(raw[row * bgra.width * 4 + byte])))
                    }
                }
                return largest
            }
        }
    }
}
