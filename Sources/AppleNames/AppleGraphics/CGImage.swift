// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

/// An image in memory, which never changes.
///
/// Each pixel has four bytes: blue, green, red, alpha. The colors are sRGB, and are not multiplied by alpha. Frames of
/// a camera are opaque. On Apple's systems, the order of the bytes depends on the source, so portable programs check
/// ``bitmapInfo`` before they read bytes.
public final class CGImage: Sendable {
    /// The pixels: BGRA.
    package let picture: PixelBuffer

    /// - Precondition: the picture is BGRA.
    package init(_ picture: PixelBuffer) {
        self.picture = picture
    }

    /// Creates a picture from pixels of any uncompressed format.
    ///
    /// - Throws: as `ImageTransformer.transform`.
    package convenience init(converting picture: PixelBuffer) throws {
        self.init(try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra)))
    }

    /// The width, in pixels.
    public var width: Int { picture.width }
    /// The height, in pixels.
    public var height: Int { picture.height }
    /// The number of bits of each component.
    public var bitsPerComponent: Int { 8 }
    /// The number of bits of each pixel.
    public var bitsPerPixel: Int { 32 }
    /// The distance between the starts of two successive rows, in bytes.
    public var bytesPerRow: Int { picture.bytesPerRow(ofPlane: 0) }
    /// The position of alpha: the first byte of a 32-bit number, which is the last byte in memory.
    public var alphaInfo: CGImageAlphaInfo { .first }
    /// The order of the bytes of a pixel: a 32-bit number, the lowest byte first.
    public var byteOrderInfo: CGImageByteOrderInfo { .order32Little }
    /// ``alphaInfo`` and ``byteOrderInfo``.
    public var bitmapInfo: CGBitmapInfo {
        CGBitmapInfo(rawValue: alphaInfo.rawValue | byteOrderInfo.rawValue)
    }
    /// The color space: sRGB.
    public var colorSpace: CGColorSpace? { .standard }
    /// The bytes of the pixels.
    public var dataProvider: CGDataProvider? { CGDataProvider(picture) }

    /// Returns a part of the picture.
    ///
    /// - Parameter rect: the part in pixels, from the top left corner; extended to whole pixels.
    /// - Returns: nil if no pixel is inside the picture, or there is not enough memory.
    public func cropping(to rect: CGRect) -> CGImage? {
        guard let part = PixelRect(enclosing: rect)?.clipped(to: picture.size) else { return nil }
        var request = ImageRequest()
        request.crop = part
        return (try? ImageTransformer.transform(picture, request)).map { CGImage($0) }
    }

    /// Returns another object with the same pixels.
    public func copy() -> CGImage? { CGImage(picture) }
}

extension CGImage: Hashable {
    /// Whether both are the same object.
    public static func == (one: CGImage, other: CGImage) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension PixelRect {
    /// The limit of coordinates. It is far outside of any picture, and sums of coordinates do not overflow.
    private static let limit = Double(1 << 30)

    /// The smallest rectangle of whole pixels that contains a rectangle; nil for an empty one and for NaN. Coordinates
    /// far outside of any picture are limited.
    package init?(enclosing rect: CGRect) {
        let rect = rect.standardized
        let (left, top) = (Double(rect.origin.x), Double(rect.origin.y))
        let (right, bottom) = (left + Double(rect.width), top + Double(rect.height))
        guard left < right, top < bottom else { return nil }
        func whole(_ value: Double) -> Int { Int(min(max(-Self.limit, value), Self.limit)) }
        let (x, y) = (whole(left.rounded(.down)), whole(top.rounded(.down)))
        self.init(
            x: x, y: y, width: whole(right.rounded(.up)) - x, height: whole(bottom.rounded(.up)) - y)
        guard width > 0, height > 0 else { return nil }
    }
}
