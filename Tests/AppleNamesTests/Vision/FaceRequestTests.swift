// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import TestSupport
import Testing
import Vision

@testable import AppleListings

/// A real face, at the place where the engine finds it.
@Suite("Vision finds faces", .needsFaces, .hangLimit) struct FaceRequestTests {
    private let photo: FacePhoto
    private let folder: TemporaryFolder

    init() throws {
        photo = try FacePhoto()
        folder = try TemporaryFolder()
    }

    /// The kinds of images that requests accept.
    enum Source: CaseIterable {
        case pixelBuffer, cgImage, ciImage, url, data, sampleBuffer
    }

    private func url() throws -> URL {
        let url = URL(fileURLWithPath: folder("face.png"))
        try photo.file().write(to: url)
        return url
    }

    private func buffer(_ orientation: CGImagePropertyOrientation = .up) throws -> CVPixelBuffer {
        CVBuffer(try photo.stored(orientation).converted(to: .nv12))
    }

    @Test("VNImageRequestHandler finds the face of the engine in each kind of image", arguments: Source.allCases)
    func imageHandler(_ source: Source) throws {
        let handler =
            switch source {
            case .pixelBuffer: VNImageRequestHandler(cvPixelBuffer: try buffer(), options: [:])
            case .cgImage: VNImageRequestHandler(cgImage: CGImage(photo.picture), options: [.properties: [:]])
            case .ciImage: VNImageRequestHandler(ciImage: CIImage(cgImage: CGImage(photo.picture)))
            case .url: VNImageRequestHandler(url: try url())
            case .data: VNImageRequestHandler(data: try photo.file())
            case .sampleBuffer: VNImageRequestHandler(cmSampleBuffer: .frame(try buffer()), options: [:])
            }
        let request = VNDetectFaceRectanglesRequest()
        #expect(request.results == nil)
        try handler.perform([request])
        try check(request)
    }

    @Test("VNSequenceRequestHandler finds the face of the engine in each kind of image", arguments: Source.allCases)
    func sequenceHandler(_ source: Source) throws {
        let handler = VNSequenceRequestHandler()
        let request = VNDetectFaceRectanglesRequest()
        for _ in 0..<2 {
            switch source {
            case .pixelBuffer: try handler.perform([request], on: try buffer())
            case .cgImage: try handler.perform([request], on: CGImage(photo.picture))
            case .ciImage: try handler.perform([request], on: CIImage(cgImage: CGImage(photo.picture)))
            case .url: try handler.perform([request], onImageURL: try url())
            case .data: try handler.perform([request], onImageData: try photo.file())
            case .sampleBuffer: try handler.perform([request], on: .frame(try buffer()))
            }
            try check(request)
        }
    }

    @Test("DetectFaceRectanglesRequest finds the face of the engine in each kind of image", arguments: Source.allCases)
    func request(_ source: Source) async throws {
        let request = DetectFaceRectanglesRequest()
        let faces =
            switch source {
            case .pixelBuffer: try await request.perform(on: try buffer())
            case .cgImage: try await request.perform(on: CGImage(photo.picture))
            case .ciImage: try await request.perform(on: CIImage(cgImage: CGImage(photo.picture)))
            case .url: try await request.perform(on: try url())
            case .data: try await request.perform(on: try photo.file())
            case .sampleBuffer: try await request.perform(on: .frame(try buffer()))
            }
        let face = try #require(faces.first)
        // In NV12, the luma is rounded otherwise.
        #expect(faces.count == 1)
        #expect(face.boundingBox.cgRect.isNear(photo.boundingBox, 0.02))
        #expect(abs(face.confidence - Float(photo.face.confidence)) < 0.1)
    }

    private func check(_ request: VNDetectFaceRectanglesRequest) throws {
        let faces = try #require(request.results)
        try #require(faces.count == 1)
        #expect(faces[0].boundingBox.isNear(photo.boundingBox, 0.02))
        #expect(abs(faces[0].confidence - VNConfidence(photo.face.confidence)) < 0.1)
    }

    @Test(
        "With each orientation, the bounds are those of the upright image",
        arguments: CGImagePropertyOrientation.allCases)
    func orientations(_ orientation: CGImagePropertyOrientation) async throws {
        let stored = CGImage(try photo.stored(orientation))
        let request = VNDetectFaceRectanglesRequest()
        try VNImageRequestHandler(cgImage: stored, orientation: orientation, options: [:]).perform([request])
        let face = try #require(request.results?.first)
        #expect(face.boundingBox.isNear(photo.boundingBox))
        #expect(face.confidence == Float(photo.face.confidence))
        let inPixels = VNImageRectForNormalizedRect(face.boundingBox, 400, 300)
        #expect(inPixels.isNear(photo.bounds, 1e-6))

        try VNSequenceRequestHandler().perform([request], on: stored, orientation: orientation)
        let next = try #require(request.results?.first)
        #expect(next.boundingBox == face.boundingBox)
        #expect(next.uuid != face.uuid && next != face)

        let modern = try #require(
            try await DetectFaceRectanglesRequest().perform(on: stored, orientation: orientation).first)
        #expect(modern.boundingBox == NormalizedRect(normalizedRect: face.boundingBox))
        #expect(modern.boundingBox.toImageCoordinates(CGSize(width: 400, height: 300)).isNear(photo.bounds, 1e-6))
    }

    @Test(
        "A file is searched with its own orientation, which another one replaces",
        arguments: CGImagePropertyOrientation.allCases)
    func filesWithOrientations(_ orientation: CGImagePropertyOrientation) async throws {
        let file = try photo.file(orientation)
        let request = DetectFaceRectanglesRequest()
        let face = try #require(try await request.perform(on: file).first)
        #expect(face.boundingBox.cgRect.isNear(photo.boundingBox))
        #expect(try await request.perform(on: file, orientation: orientation).map(\.boundingBox) == [face.boundingBox])
        let old = VNDetectFaceRectanglesRequest()
        let url = URL(fileURLWithPath: folder("\(orientation.rawValue).png"))
        try file.write(to: url)
        try VNImageRequestHandler(url: url, options: [:]).perform([old])
        #expect(old.results?.map(\.boundingBox) == [face.boundingBox.cgRect])
        // Upright pixels with a wrong orientation have no upright face.
        let upsideDown = try photo.file(.up)
        try VNImageRequestHandler(data: upsideDown, orientation: .down, options: [:]).perform([old])
        #expect(old.results?.contains { $0.boundingBox.isNear(photo.boundingBox, 0.1) } == false)
    }

    @Test("With a region of interest, the bounds are relative to it") func regions() async throws {
        let region = CGRect(x: 0.2, y: 0.3, width: 0.5, height: 0.6)
        let request = VNDetectFaceRectanglesRequest()
        request.regionOfInterest = region
        let image = CIImage(cgImage: CGImage(photo.picture))
        try VNImageRequestHandler(ciImage: image, options: [:]).perform([request])
        let face = try #require(request.results?.first)
        let inPixels = VNImageRectForNormalizedRectUsingRegionOfInterest(face.boundingBox, 400, 300, region)
        #expect(inPixels.isNear(photo.bounds, 8), "\(inPixels) \(photo.bounds)")
        #expect(!face.boundingBox.isNear(photo.boundingBox, 0.05))

        var modern = DetectFaceRectanglesRequest()
        modern.regionOfInterest = NormalizedRect(normalizedRect: region)
        #expect(try await modern.perform(on: image).map(\.boundingBox.cgRect) == [face.boundingBox])
        // The position of a Core Image image has no effect.
        let moved = image.transformed(by: CGAffineTransform(translationX: 700, y: -90))
        #expect(try await modern.perform(on: moved).map(\.boundingBox.cgRect) == [face.boundingBox])
        // The left fifth has no face.
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.2, height: 1)
        try VNImageRequestHandler(ciImage: image, options: [:]).perform([request])
        #expect(request.results == [])
    }

    @Test("The completion handler is called with the results before perform returns") func completion() throws {
        var seen: [CGRect] = []
        let request = VNDetectFaceRectanglesRequest { request, error in
            #expect(error == nil)
            guard let results = request.results as? [VNFaceObservation] else { return }
            seen = results.map(\.boundingBox)
        }
        try VNImageRequestHandler(cgImage: CGImage(photo.picture), options: [:]).perform([request])
        #expect(seen.count == 1)
        #expect(seen == request.results?.map(\.boundingBox))
    }

    @Test("When a request fails, the others are performed, and its error is thrown") func severalRequests() throws {
        var errors: [VNErrorCode?] = []
        let completion: VNRequestCompletionHandler = { _, error in
            errors.append((error as? NSError).flatMap { VNErrorCode(rawValue: $0.code) })
        }
        let requests = (0..<3).map { _ in VNDetectFaceRectanglesRequest(completionHandler: completion) }
        let handler = VNImageRequestHandler(cgImage: CGImage(photo.picture), options: [:])
        try handler.perform(requests)
        #expect(requests.allSatisfy { $0.results?.count == 1 })
        requests[1].regionOfInterest = .zero
        #expect { try handler.perform(requests) } throws: { ($0 as NSError).domain == VNErrorDomain }
        #expect(requests.map { $0.results?.count } == [1, nil, 1])
        #expect(errors == [nil, nil, nil, nil, .invalidArgument, nil])
    }

    @Test("A cancelled request fails, and can be performed again") func cancelling() throws {
        let request = VNDetectFaceRectanglesRequest()
        let handler = VNImageRequestHandler(cgImage: CGImage(photo.picture), options: [:])
        request.cancel()
        #expect { try handler.perform([request]) } throws: {
            ($0 as NSError).code == VNErrorCode.requestCancelled.rawValue
        }
        #expect(request.results == nil)
        try handler.perform([request])
        #expect(request.results?.count == 1)
    }

    @Test("In a cancelled task, the request fails") func cancelledTask() async throws {
        let image = CGImage(photo.picture)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await DetectFaceRectanglesRequest().perform(on: image)
        }
        let result = await task.result
        #expect { try result.get() } throws: { error in
            if case .requestCancelled? = error as? VisionError { true } else { false }
        }
    }

    @Test("Many requests at a time have the same results") func concurrency() async throws {
        let image = CGImage(photo.picture)
        let request = DetectFaceRectanglesRequest()
        let boxes = try await withThrowingTaskGroup(of: [NormalizedRect].self) { group in
            for _ in 0..<16 { group.addTask { try await request.perform(on: image).map(\.boundingBox) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(boxes.count == 16)
        #expect(boxes.allSatisfy { $0.count == 1 && $0[0].cgRect.isNear(photo.boundingBox) })
    }

    @Test("An app's function from a frame to rectangles compiles in Swift 5 and finds the face") func listing() throws {
        let finder = FaceFinder()
        finder.captureOutput(.frame(try buffer(.right)), orientation: .right, viewSize: CGSize(width: 800, height: 600))
        let rect = try #require(finder.faceRects.first)
        #expect(finder.lastError == nil)
        // In points of a view with twice the pixels, from its top left corner.
        let face = photo.face.bounds
        let expected = CGRect(x: 2 * face.x, y: 2 * face.y, width: 2 * face.width, height: 2 * face.height)
        #expect(rect.isNear(expected, 12), "\(rect) \(expected)")
    }
}
