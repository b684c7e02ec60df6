// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMedia

extension CIContext {
    /// Renders an image into a buffer, so that the point (0, 0) is the bottom left corner of the buffer.
    ///
    /// Pixels outside of the image are not changed. If the buffer has subsampled chroma, only chroma blocks that are
    /// completely inside the image are changed.
    ///
    /// The buffer is not changed if its format is not supported (packed and semiplanar 4:2:2), the file of the image is
    /// damaged, or there is not enough memory.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
        render(image, to: buffer, bounds: image.extent, colorSpace: nil)
    }

    /// Renders a part of an image into a buffer, like ``render(_:to:)``.
    ///
    /// - Parameters:
    ///   - bounds: the part of the buffer to change, measured from its bottom left corner; extended to whole pixels.
    ///   - colorSpace: the color space of an RGB buffer. A YUV buffer keeps its own.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
        let (format, size, space) = {
            let picture = buffer.picture
            return (picture.format, picture.size, picture.colorSpace)
        }()
        let canvas = ImageArea(size: size)
        guard let area = image.area, let bounds = ImageArea(enclosing: bounds),
            let changed = canvas.intersection(area)?.intersection(bounds)?.wholeBlocks(of: format, in: canvas),
            let part = try? image.rendered(changed, as: format.rendered, format.isYUV ? space : nil, in: pool)
        else { return }
        let place = canvas.pixels(of: changed)
        write(part, as: format, to: buffer, x: place.x, y: place.y)
    }

    /// - Precondition: the part begins at a whole block of pixels that share their chroma, and is inside the buffer.
    private func write(_ part: PixelBuffer, as format: PixelFormat, to buffer: CVPixelBuffer, x: Int, y: Int) {
        guard CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else { return }
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let offsets = part.format.planes(width: x, height: y)
        part.withPlanes { planes in
            for (index, layout) in part.planes.enumerated() {
                guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, index) else { return }
                let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, index)
                let begin = base + offsets[index].rows * stride + offsets[index].rowBytes
                for row in 0..<layout.rows {
                    format.write(
                        planes[index].base + row * planes[index].bytesPerRow, to: begin + row * stride,
                        byteCount: layout.rowBytes)
                }
            }
        }
    }
}

extension PixelFormat {
    /// The format in which an image for a buffer of this format is rendered.
    fileprivate var rendered: PixelFormat { self == .argb || self == .abgr ? .bgra : self }

    /// Writes a row of ``rendered``, which has the same number of bytes.
    fileprivate func write(
        _ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int
    ) {
        guard rendered != self else { return target.copyMemory(from: source, byteCount: byteCount) }
        for offset in stride(from: 0, to: byteCount, by: 4) {
            let pixel = source.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
            let moved = self == .argb ? pixel.byteSwapped : pixel << 8 | pixel >> 24
            target.storeBytes(of: moved.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
    }
}

extension ImageArea {
    /// The largest part of the area that divides no block of pixels that share their chroma; nil if there is none.
    ///
    /// - Parameter canvas: the area of the picture, at whose right and bottom edges blocks may be smaller.
    fileprivate func wholeBlocks(of format: PixelFormat, in canvas: ImageArea) -> ImageArea? {
        let (columns, rows) = format.chromaSubsampling
        let rect = canvas.pixels(of: self)
        let (left, right) = Self.wholeBlocks(rect.x, rect.x + rect.width, columns, canvas.width)
        let (top, bottom) = Self.wholeBlocks(rect.y, rect.y + rect.height, rows, canvas.height)
        guard left < right, top < bottom else { return nil }
        return ImageArea(
            x: canvas.x + left, y: canvas.y + canvas.height - bottom, width: right - left, height: bottom - top)
    }

    private static func wholeBlocks(_ begin: Int, _ end: Int, _ block: Int, _ limit: Int) -> (begin: Int, end: Int) {
        ((begin + block - 1) / block * block, end == limit ? end : end / block * block)
    }
}
