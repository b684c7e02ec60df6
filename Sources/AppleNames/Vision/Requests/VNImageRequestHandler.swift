// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The performer of requests on one image. Thread-safe.
///
/// The orientation is that with which the pixels are stored: they are rotated upright, and results are relative to the
/// upright image. As long as the handler exists, it holds the memory of a buffer, of which a camera has only a few.
public final class VNImageRequestHandler: Sendable {
    private let input: ImageInput

    /// Creates a handler for the present pixels of a buffer.
    public init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(pixelBuffer)
    }

    /// Creates a handler for the present pixels of a buffer, with the orientation of the image.
    public init(
        cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(pixelBuffer, orientation)
    }

    /// Creates a handler for a picture.
    public init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(image)
    }

    /// Creates a handler for a picture, with the orientation of the image.
    public init(
        cgImage image: CGImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(image, orientation)
    }

    /// Creates a handler for a Core Image image.
    public init(ciImage image: CIImage, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(image)
    }

    /// Creates a handler for a Core Image image, with the orientation of the image.
    public init(
        ciImage image: CIImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(image, orientation)
    }

    /// Creates a handler for a JPEG or PNG file with its own orientation. It is read when requests are performed.
    public init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(imageURL)
    }

    /// Creates a handler for a JPEG or PNG file, with another orientation than that in the file.
    public init(
        url imageURL: URL, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(imageURL, orientation)
    }

    /// Creates a handler for the bytes of a JPEG or PNG file, with the orientation in the file.
    public init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(imageData)
    }

    /// Creates a handler for the bytes of a JPEG or PNG file, with another orientation than that in the file.
    public init(
        data imageData: Data, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(imageData, orientation)
    }

    /// Creates a handler for the picture of a sample buffer.
    public init(cmSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(sampleBuffer)
    }

    /// Creates a handler for the picture of a sample buffer, with the orientation of the image.
    public init(
        cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(sampleBuffer, orientation)
    }

    /// Performs requests, one after the other. The calling thread waits until all have ended; do not call this on
    /// Swift's global executor.
    ///
    /// - Throws: an `NSError` of the domain ``VNErrorDomain`` with a code of ``VNErrorCode``: that of the first request
    ///   that failed. The completion handler of each request gets its own error.
    public func perform(_ requests: [VNRequest]) throws {
        try input.perform(requests)
    }
}
