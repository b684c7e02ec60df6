// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An option for an image file. The option for the quality of a JPEG file is `CIImageRepresentationOption(rawValue:
/// kCGImageDestinationLossyCompressionQuality as String)`.
public struct CIImageRepresentationOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension CIContext {
    /// Returns an image as a JPEG file.
    ///
    /// - Parameters:
    ///   - colorSpace: the color space of the file.
    ///   - options: the quality, from 0 to 1 (default: 0.9).
    /// - Returns: nil if the image has no pixels, cannot be rendered, or has a side of more than 16384 pixels.
    public func jpegRepresentation(
        of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        let key = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality)
        let quality = options[key].flatMap { Double(filterValue: $0) } ?? 0.9
        guard let picture = try? image.rendered(nil, as: nil, in: pool),
            let file = try? JPEGEncoder(quality: JPEGEncoder.quality(of: quality)).encode(picture)
        else { return nil }
        return Data(file)
    }

    /// Writes an image to a JPEG file, atomically, like ``jpegRepresentation(of:colorSpace:options:)``.
    ///
    /// - Throws: an error of `CocoaError` if the image cannot be rendered or the file cannot be written.
    public func writeJPEGRepresentation(
        of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        guard let file = jpegRepresentation(of: image, colorSpace: colorSpace, options: options) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: url])
        }
        try file.write(to: url, options: .atomic)
    }
}
