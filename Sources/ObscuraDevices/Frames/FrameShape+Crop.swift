// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension FrameShape {
    /// Returns the layout of a part of the frames, in the same memory. The part is enlarged to the left and to the top as
    /// far as pixels that share a chroma sample require.
    ///
    /// - Parameters:
    ///   - format: the format of the frames.
    ///   - size: the size of the frames.
    /// - Returns: the layout, and the size of the part; nil if the part is empty.
    func cropped(to rect: PixelRect, format: PixelFormat, size: PixelSize) -> (shape: FrameShape, size: PixelSize)? {
        guard let rect = rect.clipped(to: size) else { return nil }
        let (horizontal, vertical) = format.chromaSubsampling
        let x = rect.x / horizontal * horizontal
        let y = rect.y / vertical * vertical
        let part = PixelSize(width: rect.x - x + rect.width, height: rect.y - y + rect.height)
        let layouts = format.planes(width: part.width, height: part.height)
        // The bytes to the left of the part have the layout of a frame of that width.
        let before = format.planes(width: x, height: y)
        let planes = zip(planes, zip(layouts, before)).map { plane, other in
            Plane(
                part: plane.part, offset: plane.offset + other.1.rows * plane.bytesPerRow + other.1.rowBytes,
                bytesPerRow: plane.bytesPerRow,
                byteCount: (other.0.rows - 1) * plane.bytesPerRow + other.0.rowBytes)
        }
        return (FrameShape(planes: planes, byteCounts: byteCounts), part)
    }
}
