// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Read-only pictures over the memory of other pictures, which they retain.
extension PixelBuffer {
    /// Returns a part of the picture.
    ///
    /// - Precondition: the part is inside the picture, and its corner on a whole chroma block.
    func view(of rect: PixelRect) -> PixelBuffer {
        let (columns, rows) = format.chromaSubsampling
        let layout = format.planes(width: rect.width, height: rect.height)
        let planes = withPlanes { planes in
            planes.enumerated().map { index, plane in
                let isChroma = index > 0
                let y = isChroma ? rect.y / rows : rect.y
                let offset = y * plane.bytesPerRow + byteOffset(ofColumn: rect.x, isChroma: isChroma, columns)
                return PixelStorage.Plane(
                    base: plane.base + offset, bytesPerRow: plane.bytesPerRow,
                    byteCount: (layout[index].rows - 1) * plane.bytesPerRow + layout[index].rowBytes)
            }
        }
        return over(planes, format: format, width: rect.width, height: rect.height, keeping: [self])
    }

    /// Returns the luma plane as a picture.
    ///
    /// - Precondition: the picture has a separate plane of 8-bit luma.
    func lumaView() -> PixelBuffer {
        let planes = withPlanes { [$0[0]] }
        return over(planes, format: .gray8, width: width, height: height, keeping: [self])
    }

    /// Returns this picture with the luma plane of `source`, which has the same size and bit depth.
    func borrowingLuma(of source: PixelBuffer) -> PixelBuffer {
        let planes = source.withPlanes { [$0[0]] } + withPlanes { $0[1...] }
        return over(planes, format: format, width: width, height: height, keeping: [self, source])
    }

    /// Returns this picture with the chroma planes of `source`, which have the same shapes.
    func borrowingChroma(of source: PixelBuffer) -> PixelBuffer {
        let planes = withPlanes { [$0[0]] } + source.withPlanes { $0[1...] }
        return over(planes, format: format, width: width, height: height, keeping: [self, source])
    }

    /// Copies the first `count` planes of a picture with the same shapes.
    mutating func copyPlanes(of source: PixelBuffer, upTo count: Int = .max) throws {
        let layout = planes.prefix(count)
        try withMutablePlanes { targets in
            source.withPlanes { sources in
                for (index, plane) in layout.enumerated() {
                    let (from, to) = (sources[index], targets[index])
                    for row in 0..<plane.rows {
                        memcpy(to.base + row * to.bytesPerRow, from.base + row * from.bytesPerRow, plane.rowBytes)
                    }
                }
            }
        }
    }

    private func byteOffset(ofColumn x: Int, isChroma: Bool, _ columns: Int) -> Int {
        switch format {
        case .bgra, .rgba, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr: x * 4
        case .bgr24, .rgb24: x * 3
        case .yuyv, .uyvy, .yvyu, .vyuy: x * 2
        case .nv12, .nv21, .nv16: x
        default: (isChroma ? x / columns : x) * (bitDepth > 8 ? 2 : 1)
        }
    }

    private var bitDepth: Int { format.bitDepth }

    private func over(
        _ planes: [PixelStorage.Plane], format: PixelFormat, width: Int, height: Int, keeping kept: [PixelBuffer]
    ) -> PixelBuffer {
        let storage = PixelStorage(planes: planes, mayWrite: { false }) { withExtendedLifetime(kept) {} }
        return PixelBuffer(storage: storage, format: format, width: width, height: height, colorSpace: colorSpace)
    }
}
