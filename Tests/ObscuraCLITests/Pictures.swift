// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Small pictures with known bytes.
enum Pictures {
    /// Byte i of plane p, row after row without padding, is (seed + 64p + i) mod 256; 10-bit samples keep to
    /// their range.
    static func make(_ format: PixelFormat, _ width: Int, _ height: Int, seed: Int = 0) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: format, width: width, height: height)
        for (plane, layout) in picture.planes.enumerated() {
            let bytesPerRow = picture.bytesPerRow(ofPlane: plane)
            try picture.withMutableBytes(ofPlane: plane) { bytes in
                for row in 0..<layout.rows {
                    for column in 0..<layout.rowBytes {
                        let value = byte(seed, plane, row * layout.rowBytes + column, format)
                        bytes.storeBytes(of: value, toByteOffset: row * bytesPerRow + column, as: UInt8.self)
                    }
                }
            }
        }
        return picture
    }

    /// What the planes of ``make(_:_:_:seed:)`` are without padding.
    static func packed(_ format: PixelFormat, _ width: Int, _ height: Int, seed: Int = 0) -> [UInt8] {
        format.planes(width: width, height: height).enumerated().flatMap { plane, layout in
            (0..<layout.rowBytes * layout.rows).map { byte(seed, plane, $0, format) }
        }
    }

    static func frame(_ picture: PixelBuffer, _ number: Int = 0) -> VideoFrame {
        VideoFrame(
            buffer: picture, presentationTime: MediaTime(value: Int64(number), timescale: 25), hostTime: .now,
            sequence: UInt64(number))
    }

    private static func byte(_ seed: Int, _ plane: Int, _ index: Int, _ format: PixelFormat) -> UInt8 {
        let value = UInt8((seed + 64 * plane + index) % 256)
        return format.bitDepth > 8 && index % 2 == 1 ? value % 4 : value
    }
}
