// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A request that finds upright faces, with `FaceDetector` and OpenCV's cascade for frontal faces.
///
/// The search runs on threads of its own. If the task is cancelled, a running search still runs to its end, and then
/// throws `VisionError.requestCancelled`.
public struct DetectFaceRectanglesRequest: Sendable, Hashable {
    /// The part of the upright image to search; by default the whole image. Results are relative to this part. If the
    /// part is empty, or extends beyond the image, the request fails.
    public var regionOfInterest = NormalizedRect.fullImage

    /// The threads of all requests; a search uses all cores.
    private static let pool = WorkerPool(name: "vision", threads: 2)

    /// Creates a request for the whole image.
    public init() {}

    /// Returns the faces in the pixels of a buffer, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(pixelBuffer, orientation))
    }

    /// Returns the faces in an image, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on image: CGImage, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(image, orientation))
    }

    /// Returns the faces in a Core Image image, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on image: CIImage, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(image, orientation))
    }

    /// Returns the faces in a JPEG or PNG file, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil to use the orientation in the
    ///   file.
    /// - Throws: ``VisionError``.
    public func perform(
        on url: URL, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(url, orientation))
    }

    /// Returns the faces in the bytes of a JPEG or PNG file, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil to use the orientation in the
    ///   file.
    /// - Throws: ``VisionError``.
    public func perform(
        on data: Data, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(data, orientation))
    }

    /// Returns the faces in the image of a sample buffer, the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(sampleBuffer, orientation))
    }

    private func faces(in input: ImageInput) async throws -> [FaceObservation] {
        try await Self.pool.runCancellable { isCancelled throws(VisionError) in
            if isCancelled() { throw .cancelled }
            let found = try FaceSearch.faces(in: try input.upright(), regionOfInterest)
            if isCancelled() { throw .cancelled }
            return found.map { FaceObservation(boundingBox: $0.boundingBox, confidence: $0.confidence) }
        }
    }
}
