// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The pixel format and the size of the frames that are read.
struct PictureForm: Sendable {
    private static let mostPixels = 32768

    private var pixelFormat = PixelFormat.nv12
    /// The requested range; nil for that of the movie.
    private var range: ColorSpace.Range?
    private var size: PixelSize?

    /// Creates the form of settings with the keys of pixel buffers: 4:2:0 with two planes without a format, and the
    /// size of the movie without a size.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a key or a value that is not supported.
    init(_ settings: [String: Any]) throws(ObscuraError) {
        var settings = SettingsReader(settings, subject: "output settings")
        if let number = try settings.integer(kCVPixelBufferPixelFormatTypeKey) {
            guard let type = OSType(exactly: number), OSType.deliveredFormats.contains(type),
                let (format, range) = PixelFormat.of(type)
            else {
                throw settings.invalid(
                    "the pixel format \(number) is not supported",
                    "Use kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, …FullRange or kCVPixelFormatType_32BGRA.")
            }
            (pixelFormat, self.range) = (format, range)
        }
        let sides = (
            try settings.integer(kCVPixelBufferWidthKey), try settings.integer(kCVPixelBufferHeightKey)
        )
        switch sides {
        case (nil, nil): break
        case (let width?, let height?)
        where (1...Self.mostPixels).contains(width) && (1...Self.mostPixels).contains(height):
            size = PixelSize(width: width, height: height)
        default: throw settings.invalid("a size needs both a width and a height, of 1 to \(Self.mostPixels) pixels")
        }
        // Memory has no kinds here.
        settings.ignore(kCVPixelBufferIOSurfacePropertiesKey)
        settings.ignore(kCVPixelBufferCGImageCompatibilityKey)
        try settings.checkIsEmpty()
    }

    /// The request that gives a picture the form.
    func request(for picture: PixelBuffer) -> ImageRequest {
        var request = ImageRequest(pixelFormat: pixelFormat, size: size)
        // Pixel buffers are stretched on Apple's systems.
        request.fit = .stretch
        request.keepColors(of: picture, range: range)
        return request
    }
}
