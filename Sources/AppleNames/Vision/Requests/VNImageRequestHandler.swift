// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The performer of requests on one image. Thread-safe.
///
/// The orientation is that of the stored pixels. The image is rotated upright before the search, and results are
/// relative to the upright image.
///
/// A handler keeps its buffer in use. A camera has only a few buffers, so do not keep handlers of its frames.
public final class VNImageRequestHandler: Sendable {
    private let input: ImageInput

    /// Creates a handler for the pixels of a buffer. Later changes of the buffer have no effect.
    public init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(pixelBuffer)
    }

    /// Creates a handler for the pixels of a buffer, with the orientation of the image. Later changes of the buffer
    /// have no effect.
    public init(
        cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(pixelBuffer, orientation)
    }

    /// Creates a handler for an image.
    public init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(image)
    }

    /// Creates a handler for an image, with its orientation.
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

    /// Creates a handler for a JPEG or PNG file, with the orientation in the file. The file is read each time requests
    /// are performed.
    public init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(imageURL)
    }

    /// Creates a handler for a JPEG or PNG file. The given orientation replaces the orientation in the file.
    public init(
        url imageURL: URL, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(imageURL, orientation)
    }

    /// Creates a handler for the bytes of a JPEG or PNG file, with the orientation in the file.
    public init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(imageData)
    }

    /// Creates a handler for the bytes of a JPEG or PNG file. The given orientation replaces the orientation in the
    /// file.
    public init(
        data imageData: Data, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(imageData, orientation)
    }

    /// Creates a handler for the image of a sample buffer.
    public init(cmSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:]) {
        input = ImageInput(sampleBuffer)
    }

    /// Creates a handler for the image of a sample buffer, with its orientation.
    public init(
        cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        input = ImageInput(sampleBuffer, orientation)
    }

    /// Performs requests, one after the other. Blocks the calling thread until all have ended; do not call this on
    /// Swift's global executor.
    ///
    /// - Throws: an `NSError` of the domain ``VNErrorDomain`` with a code of ``VNErrorCode``: the error of the first
    ///   request that failed. Each completion handler gets the error of its own request.
    public func perform(_ requests: [VNRequest]) throws {
        try input.perform(requests)
    }
}
