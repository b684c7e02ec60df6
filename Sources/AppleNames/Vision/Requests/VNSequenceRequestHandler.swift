// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The performer of requests on the images of a sequence, such as the frames of a video. Thread-safe.
///
/// Each image is searched completely, without information from earlier images. The orientation is that of the stored
/// pixels. The image is rotated upright before the search, and results are relative to the upright image.
///
/// All functions perform the requests one after the other, block the calling thread, and throw the same errors as
/// ``VNImageRequestHandler/perform(_:)``.
public final class VNSequenceRequestHandler: Sendable {
    /// Creates a handler.
    public init() {}

    /// Performs requests on the pixels of a buffer.
    public func perform(_ requests: [VNRequest], on pixelBuffer: CVPixelBuffer) throws {
        try ImageInput(pixelBuffer).perform(requests)
    }

    /// Performs requests on the pixels of a buffer, with the orientation of the image.
    public func perform(
        _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(pixelBuffer, orientation).perform(requests)
    }

    /// Performs requests on an image.
    public func perform(_ requests: [VNRequest], on image: CGImage) throws {
        try ImageInput(image).perform(requests)
    }

    /// Performs requests on an image, with its orientation.
    public func perform(
        _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(image, orientation).perform(requests)
    }

    /// Performs requests on a Core Image image.
    public func perform(_ requests: [VNRequest], on image: CIImage) throws {
        try ImageInput(image).perform(requests)
    }

    /// Performs requests on a Core Image image, with the orientation of the image.
    public func perform(
        _ requests: [VNRequest], on image: CIImage, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(image, orientation).perform(requests)
    }

    /// Performs requests on a JPEG or PNG file, with the orientation in the file.
    public func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
        try ImageInput(imageURL).perform(requests)
    }

    /// Performs requests on a JPEG or PNG file. The given orientation replaces the orientation in the file.
    public func perform(
        _ requests: [VNRequest], onImageURL imageURL: URL, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(imageURL, orientation).perform(requests)
    }

    /// Performs requests on the bytes of a JPEG or PNG file, with the orientation in the file.
    public func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
        try ImageInput(imageData).perform(requests)
    }

    /// Performs requests on the bytes of a JPEG or PNG file. The given orientation replaces the orientation in the
    /// file.
    public func perform(
        _ requests: [VNRequest], onImageData imageData: Data, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(imageData, orientation).perform(requests)
    }

    /// Performs requests on the image of a sample buffer.
    public func perform(_ requests: [VNRequest], on sampleBuffer: CMSampleBuffer) throws {
        try ImageInput(sampleBuffer).perform(requests)
    }

    /// Performs requests on the image of a sample buffer, with its orientation.
    public func perform(
        _ requests: [VNRequest], on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try ImageInput(sampleBuffer, orientation).perform(requests)
    }
}
