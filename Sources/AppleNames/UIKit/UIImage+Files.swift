// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension UIImage {
    /// Decodes a JPEG or PNG file in memory. The orientation is that of the file, and the pixels are as the file stores
    /// them.
    ///
    /// - Returns: nil if the data is not a JPEG or PNG file, or is damaged, or if there is not enough memory.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Decodes a JPEG or PNG file in memory, like ``init(data:)``.
    ///
    /// - Parameters:
    ///   - data: the bytes of the file.
    ///   - scale: the number of pixels per point.
    public convenience init?(data: Data, scale: CGFloat) {
        let bytes = [UInt8](data)
        guard let info = try? StillInfo(bytes), let picture = try? PixelBuffer.stored(in: bytes, info),
            let image = try? CGImage(converting: picture)
        else { return nil }
        let stored = CGImagePropertyOrientation(turn: info.orientation, isMirrored: info.isMirrored)
        self.init(cgImage: image, scale: scale, orientation: Orientation(stored))
    }

    /// Decodes a JPEG or PNG file, like ``init(data:)``, with one pixel per point.
    ///
    /// - Returns: nil also if the file cannot be read.
    public convenience init?(contentsOfFile path: String) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
        self.init(data: data)
    }

    /// Returns the image as a JPEG file: the pixels as they are stored, and their orientation in EXIF.
    ///
    /// - Parameter compressionQuality: the quality, from 0 (small) to 1 (near the original).
    /// - Returns: nil if the image has no pixels, or a side of more than 16384 pixels, or if there is not enough
    ///   memory.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        var properties = StillProperties()
        properties.orientation = imageOrientation.stored.turn
        properties.isMirrored = imageOrientation.stored.isMirrored
        // Apple's files have no thumbnail.
        properties.thumbnailSide = nil
        let format = StillFormat.jpeg(quality: JPEGEncoder.quality(of: Double(compressionQuality)))
        guard let picture, let file = try? StillEncoder(format).encode(picture, properties) else { return nil }
        return Data(file)
    }

    /// Returns the image as a PNG file, upright and without transparency.
    ///
    /// Many programs ignore the orientation in a PNG file. Therefore the pixels are rotated. On Apple's systems, the
    /// orientation is lost.
    ///
    /// - Returns: nil if the image has no pixels, or there is not enough memory.
    public func pngData() -> Data? {
        var request = ImageRequest()
        request.orientation = imageOrientation.stored.turn
        request.isMirrored = imageOrientation.stored.isMirrored
        guard let picture, let upright = try? ImageTransformer.transform(picture, request),
            let file = try? PNGEncoder().encode(upright)
        else { return nil }
        return Data(file)
    }
}
