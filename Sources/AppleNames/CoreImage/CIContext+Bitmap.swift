// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMedia

extension CIContext {
    /// Renders a part of an image into memory, from the top row to the bottom row.
    ///
    /// Colors are multiplied by alpha, and pixels outside of the image are transparent. If the image cannot be
    /// rendered, or an argument is invalid, such as rows that are too short, nothing is written, and an error is
    /// logged.
    ///
    /// - Parameters:
    ///   - data: memory for `rowBytes` times the height of `bounds`.
    ///   - rowBytes: the distance between the starts of two successive rows, in bytes.
    ///   - bounds: the part. Its origin and its size are rounded down to whole pixels.
    ///   - format: ``CIFormat/RGBA8``, ``CIFormat/BGRA8``, ``CIFormat/ARGB8`` or ``CIFormat/ABGR8``.
    ///   - colorSpace: the color space of the result. Only sRGB is available.
    public func render(
        _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat,
        colorSpace: CGColorSpace?
    ) {
        guard let layout = BitmapLayout(format) else {
            return Self.logger.error("CIContext: a bitmap cannot have the format \(format.rawValue).")
        }
        guard let wanted = ImageArea(inside: bounds) else {
            return Self.logger.error("CIContext: a bitmap needs at least one pixel, and \(bounds) has none.")
        }
        guard rowBytes >= 4 * wanted.width else {
            return Self.logger.error("CIContext: rows of \(rowBytes) bytes are too short for \(wanted.width) pixels.")
        }
        let visible = image.area?.intersection(wanted)
        var part: PixelBuffer?
        do {
            part = try visible.flatMap { try image.rendered($0, as: .bgra, in: pool) }
        } catch {
            return Self.logger.error("CIContext: the image cannot be rendered: \(error)")
        }
        for row in 0..<wanted.height {
            (data + row * rowBytes).initializeMemory(as: UInt8.self, repeating: 0, count: 4 * wanted.width)
        }
        guard let part, let place = visible.map({ wanted.pixels(of: $0) }) else { return }
        part.withPlanes { planes in
            for row in 0..<part.height {
                layout.copy(
                    planes[0].base + row * planes[0].bytesPerRow, to: data + (place.y + row) * rowBytes + 4 * place.x,
                    count: part.width)
            }
        }
    }
}

/// The order of the components of a pixel.
private struct BitmapLayout {
    /// For each byte, the index of the component in a pixel of BGRA.
    private let order: SIMD4<UInt8>

    init?(_ format: CIFormat) {
        switch format {
        case .BGRA8: order = SIMD4(0, 1, 2, 3)
        case .RGBA8: order = SIMD4(2, 1, 0, 3)
        case .ARGB8: order = SIMD4(3, 2, 1, 0)
        case .ABGR8: order = SIMD4(3, 0, 1, 2)
        default: return nil
        }
    }

    /// Copies pixels of BGRA in this order, and multiplies them by their alpha.
    func copy(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
        let (a, b, c, d) = (Int(order.x), Int(order.y), Int(order.z), Int(order.w))
        for offset in stride(from: 0, to: 4 * count, by: 4) {
            var pixel = source.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
            if pixel.w != 255 {
                // Exactly the rounded quotient by 255.
                let product = SIMD4<UInt32>(truncatingIfNeeded: pixel) &* UInt32(pixel.w) &+ 127
                let alpha = pixel.w
                pixel = SIMD4<UInt8>(truncatingIfNeeded: product / 255)
                pixel.w = alpha
            }
            target.storeBytes(
                of: SIMD4(pixel[a], pixel[b], pixel[c], pixel[d]), toByteOffset: offset, as: SIMD4<UInt8>.self)
        }
    }
}

extension ImageArea {
    /// The area with the origin and the size of a rectangle, rounded down to whole pixels: it needs no more memory than
    /// the rectangle. Nil for an area without pixels, and for numbers that are not those of a picture.
    fileprivate init?(inside rect: CGRect) {
        let rect = rect.standardized
        let limit = Double(1 << 30)
        let numbers = [rect.origin.x, rect.origin.y, rect.width, rect.height].map { Double($0).rounded(.down) }
        guard numbers.allSatisfy({ abs($0) <= limit }), numbers[2] >= 1, numbers[3] >= 1 else { return nil }
        self.init(x: Int(numbers[0]), y: Int(numbers[1]), width: Int(numbers[2]), height: Int(numbers[3]))
    }
}
