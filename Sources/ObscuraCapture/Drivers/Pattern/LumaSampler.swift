// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Access to the luma of single pixels of an uncompressed frame, 0 to 255.
struct LumaSampler {
    private let picture: PixelBuffer

    /// Creates a sampler; nil for a compressed frame.
    init?(_ picture: PixelBuffer) {
        guard !picture.format.isCompressed else { return nil }
        self.picture = picture
    }

    func value(x: Int, y: Int) -> Int {
        let row = y * picture.bytesPerRow(ofPlane: 0)
        return picture.withBytes(ofPlane: 0) { bytes in
            switch picture.format {
            case .bgra, .rgba, .bgrx, .rgbx: return mean(bytes, row + 4 * x)
            case .argb, .abgr, .xrgb, .xbgr: return mean(bytes, row + 4 * x + 1)
            case .bgr24, .rgb24: return mean(bytes, row + 3 * x)
            case .yuyv, .yvyu: return Int(byte(bytes, row + 2 * x))
            case .uyvy, .vyuy: return Int(byte(bytes, row + 2 * x + 1))
            case .i010, .i210, .i410:
                return (Int(byte(bytes, row + 2 * x)) | Int(byte(bytes, row + 2 * x + 1)) << 8) >> 2
            case .nv12, .nv21, .nv16, .i420, .i422, .i444, .gray8, .mjpeg, .h264, .hevc, .ffv1:
                return Int(byte(bytes, row + x))
            }
        }
    }

    /// The mean of the three colors that begin at `offset`.
    private func mean(_ bytes: RawSpan, _ offset: Int) -> Int {
        (0..<3).reduce(0) { $0 + Int(byte(bytes, offset + $1)) } / 3
    }

    private func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
