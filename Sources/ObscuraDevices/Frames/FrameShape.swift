// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The memory layout of a driver's frames: where each plane lies in the memory areas of a buffer.
struct FrameShape: Sendable, Hashable {
    /// One plane of a frame.
    struct Plane: Sendable, Hashable {
        /// The index of its memory area in the buffer.
        let part: Int
        let offset: Int
        let bytesPerRow: Int
        /// The bytes from the start to the end of the last row.
        let byteCount: Int
    }

    /// The planes in the order of ``PixelFormat/planes(width:height:)``; empty for compressed frames.
    let planes: [Plane]
    /// The bytes of a complete frame in each memory area of the buffer.
    let byteCounts: [Int]

    init(planes: [Plane], byteCounts: [Int]) {
        self.planes = planes
        self.byteCounts = byteCounts
    }

    /// Creates the layout of frames.
    ///
    /// - Parameters:
    ///   - strides: the driver's bytes per row for each memory area; a value that is too small for a row counts as a row
    ///     without padding.
    ///   - hasSeparatePlanes: whether each plane has a memory area of its own.
    ///   - swapsChroma: whether Cr comes before Cb among three planes.
    init(_ format: PixelFormat, size: PixelSize, strides: [Int], hasSeparatePlanes: Bool, swapsChroma: Bool) {
        let shapes = format.planes(width: size.width, height: size.height)
        var planes: [Plane] = []
        var byteCounts: [Int] = []
        for (index, shape) in shapes.enumerated() {
            let part = hasSeparatePlanes ? index : 0
            let given = part < strides.count ? strides[part] : 0
            var stride = max(given, shapes[part].rowBytes)
            if !hasSeparatePlanes, index > 0, shapes.count == 3 {
                // Three planes in one area: rows of chroma are shorter by the horizontal subsampling (V4L2's rule for
                // planar formats).
                stride = stride / format.chromaSubsampling.horizontal
            }
            stride = max(stride, shape.rowBytes)
            let offset = part < byteCounts.count ? byteCounts[part] : 0
            let last = (shape.rows - 1) * stride + shape.rowBytes
            planes.append(Plane(part: part, offset: offset, bytesPerRow: stride, byteCount: last))
            let end = offset + shape.rows * stride
            if part < byteCounts.count { byteCounts[part] = end } else { byteCounts.append(end) }
        }
        // The padding of the last row is optional.
        for plane in planes { byteCounts[plane.part] = plane.offset + plane.byteCount }
        if swapsChroma, planes.count == 3 { planes.swapAt(1, 2) }
        self.planes = planes
        self.byteCounts = byteCounts
    }
}
