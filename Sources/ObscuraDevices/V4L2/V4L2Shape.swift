// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// How the driver lays out the pictures of a mode: what it answered when the mode was set.
struct V4L2Shape: Sendable, Hashable {
    /// One plane of a picture.
    struct Plane: Sendable, Hashable {
        /// Which of the buffer's memories it lies in.
        let part: Int
        let offset: Int
        let bytesPerRow: Int
        /// From its first byte to the end of its last row.
        let byteCount: Int
    }

    /// The planes in the order of ``PixelFormat/planes(width:height:)``; empty for compressed pictures.
    let planes: [Plane]
    /// How many bytes each of the buffer's memories must hold of a whole picture.
    let byteCounts: [Int]

    /// - Parameter strides: the driver's bytes per row for each of the buffer's memories; what is too short
    ///   for a row is taken for a row without padding.
    init(layout: V4L2Layout, size: PixelSize, strides: [Int]) {
        let shapes = layout.pixelFormat.planes(width: size.width, height: size.height)
        var planes: [Plane] = []
        var byteCounts: [Int] = []
        for (index, shape) in shapes.enumerated() {
            let part = layout.hasSeparatePlanes ? index : 0
            let given = part < strides.count ? strides[part] : 0
            var stride = max(given, shapes[part].rowBytes)
            if !layout.hasSeparatePlanes, index > 0, shapes.count == 3 {
                // One memory with three planes: the rows of chroma are as much shorter as their samples are
                // fewer (V4L2's rule for planar formats).
                stride = stride / layout.pixelFormat.chromaSubsampling.horizontal
            }
            stride = max(stride, shape.rowBytes)
            let offset = part < byteCounts.count ? byteCounts[part] : 0
            let last = (shape.rows - 1) * stride + shape.rowBytes
            planes.append(Plane(part: part, offset: offset, bytesPerRow: stride, byteCount: last))
            let end = offset + shape.rows * stride
            if part < byteCounts.count { byteCounts[part] = end } else { byteCounts.append(end) }
        }
        // The padding of the last row need not be there.
        for plane in planes { byteCounts[plane.part] = plane.offset + plane.byteCount }
        if layout.swapsChroma, planes.count == 3 { planes.swapAt(1, 2) }
        self.planes = planes
        self.byteCounts = byteCounts
    }
}
