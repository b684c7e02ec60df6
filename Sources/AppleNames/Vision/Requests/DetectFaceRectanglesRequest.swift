// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A request that finds upright faces, with `FaceDetector` and OpenCV's cascade for frontal faces.
///
/// The search runs on threads of its own. When the task is cancelled, a search that is running is not shortened, but
/// fails with `VisionError.requestCancelled`.
public struct DetectFaceRectanglesRequest: Sendable, Hashable {
    /// The part of the upright image; by default the whole image. The results are relative to it. With an empty part,
    /// and with one that is not inside the image, the request fails.
    public var regionOfInterest = NormalizedRect.fullImage

    /// The threads of all requests; a search uses all cores.
    private static let pool = WorkerPool(name: "vision", threads: 2)

    /// Creates a request for the whole image.
    public init() {}

    /// Returns the faces in the pixels of a buffer, with the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(pixelBuffer, orientation))
    }

    /// Returns the faces in a picture, with the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on image: CGImage, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(image, orientation))
    }

    /// Returns the faces in a Core Image image, with the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for an upright image.
    /// - Throws: ``VisionError``.
    public func perform(
        on image: CIImage, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(image, orientation))
    }

    /// Returns the faces in a JPEG or PNG file, with the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for that in the file.
    /// - Throws: ``VisionError``.
    public func perform(
        on url: URL, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(url, orientation))
    }

    /// Returns the faces in the bytes of a JPEG or PNG file, with the most reliable first.
    ///
    /// - Parameter orientation: the orientation with which the pixels are stored; nil for that in the file.
    /// - Throws: ``VisionError``.
    public func perform(
        on data: Data, orientation: CGImagePropertyOrientation? = nil
    ) async throws -> [FaceObservation] {
        try await faces(in: ImageInput(data, orientation))
    }

    /// Returns the faces in the picture of a sample buffer, with the most reliable first.
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
