// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The search for faces of all requests.
enum FaceSearch {
    /// A face, relative to the region of interest.
    struct Result: Sendable {
        let boundingBox: NormalizedRect
        let confidence: Float
    }

    /// The detector, which is created for the first request. It is thread-safe.
    private static let detector = Lock<FaceDetector?>(nil)

    /// Returns the faces in a region of an image, with the most reliable first. Blocks the calling thread.
    static func faces(in image: CIImage, _ region: NormalizedRect) throws(VisionError) -> [Result] {
        guard region.isInsideImage else {
            throw .invalidArgument("The region of interest \(region.cgRect) is empty, or not inside (0, 0, 1, 1).")
        }
        let (extent, size) = (image.extent, image.extent.size)
        let part = image.cropped(
            to: region.toImageCoordinates(size).offsetBy(dx: extent.minX, dy: extent.minY))
        do {
            guard let picture = try part.rendered() else {
                throw VisionError.invalidImage("The image has no pixels.")
            }
            let faces = try sharedDetector().faces(in: picture).sorted { $0.confidence > $1.confidence }
            return faces.map { face in
                let bounds = face.bounds
                let rect = CGRect(
                    x: part.extent.minX - extent.minX + CGFloat(bounds.x),
                    y: part.extent.maxY - extent.minY - CGFloat(bounds.y + bounds.height),
                    width: CGFloat(bounds.width), height: CGFloat(bounds.height))
                return Result(
                    boundingBox: NormalizedRect(imageRect: rect, in: size, normalizedTo: region),
                    confidence: Float(face.confidence))
            }
        } catch let error as VisionError {
            throw error
        } catch {
            throw VisionError(error)
        }
    }

    private static func sharedDetector() throws -> FaceDetector {
        try detector.withLock { detector in
            if let detector { return detector }
            let new = try FaceDetector()
            detector = new
            return new
        }
    }
}

extension NormalizedRect {
    /// Whether it is not empty and not outside of the image, apart from the rounding errors of a calculation.
    fileprivate var isInsideImage: Bool {
        let limits = -1e-6...1 + 1e-6
        return [cgRect.minX, cgRect.minY, cgRect.maxX, cgRect.maxY].allSatisfy { limits.contains(Double($0)) }
            && width > 0 && height > 0
    }
}
