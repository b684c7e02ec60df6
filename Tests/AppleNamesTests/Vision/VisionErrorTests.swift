// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing

@testable import Vision

@Suite("Vision with bad input", .hangLimit) struct VisionErrorTests {
    /// The error of a request on an image; nil for none.
    private func failure(
        _ region: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1), _ handler: VNImageRequestHandler
    ) -> VNErrorCode? {
        var seen: NSError?
        let request = VNDetectFaceRectanglesRequest { seen = $1 as? NSError }
        request.regionOfInterest = region
        do {
            try handler.perform([request])
            #expect(seen == nil && request.results != nil)
            return nil
        } catch let error as NSError {
            #expect(error.domain == VNErrorDomain && error === seen)
            #expect(!error.localizedDescription.isEmpty)
            #expect(request.results == nil)
            return VNErrorCode(rawValue: error.code)
        }
    }

    private func modernFailure(
        _ perform: (DetectFaceRectanglesRequest) async throws -> [FaceObservation]
    ) async
        -> VisionError?
    {
        do {
            _ = try await perform(DetectFaceRectanglesRequest())
            return nil
        } catch {
            return error as? VisionError
        }
    }

    @Test(
        "A region of interest that is empty or not inside the image is an invalid argument",
        arguments: [
            .zero, .null, .infinite, CGRect(x: 0.5, y: 0.5, width: 0, height: 0.5),
            CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.6), CGRect(x: -0.1, y: 0, width: 0.5, height: 0.5),
            CGRect(x: 0, y: 0, width: 2, height: 2), CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
            CGRect(x: 0, y: 0, width: 1, height: CGFloat.nan),
        ])
    func regions(_ region: CGRect) async throws {
        let image = CGImage(try .quarters(64, 48))
        #expect(failure(region, VNImageRequestHandler(cgImage: image, options: [:])) == .invalidArgument)
        let error = await modernFailure { request in
            var request = request
            request.regionOfInterest = NormalizedRect(normalizedRect: region)
            return try await request.perform(on: image)
        }
        guard case .invalidArgument(let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("region of interest"))
    }

    @Test("A region of less than a pixel, and one with a rounding error, is searched") func smallRegion() throws {
        let image = CGImage(try .quarters(64, 48))
        for region in [
            CGRect(x: 0.999, y: 0.999, width: 0.0005, height: 0.0005),
            CGRect(x: -1e-12, y: 0.1, width: 1 + 2e-12, height: 0.9 + 1e-12),
        ] {
            #expect(failure(region, VNImageRequestHandler(cgImage: image, options: [:])) == nil)
        }
    }

    @Test("Data that is no photo, or a damaged one, is an invalid image") func damagedData() async throws {
        let whole = try PNGEncoder().encode(.bgraNoise(64, 48))
        let jpeg = try JPEGEncoder(quality: 90).encode(.bgraNoise(64, 48))
        for bytes in [[], Array("no photo".utf8), Array(whole.prefix(whole.count / 2)), Array(jpeg.prefix(300))] {
            let data = Data(bytes)
            #expect(failure(handler(data)) == .invalidImage, "\(data.count)")
            guard case .invalidImage? = await modernFailure({ try await $0.perform(on: data) }) else {
                Issue.record("\(data.count) bytes are not an invalid image")
                continue
            }
        }
        #expect(failure(handler(Data(whole))) == nil)
    }

    private func handler(_ data: Data) -> VNImageRequestHandler { VNImageRequestHandler(data: data, options: [:]) }

    private func failure(_ handler: VNImageRequestHandler) -> VNErrorCode? {
        failure(CGRect(x: 0, y: 0, width: 1, height: 1), handler)
    }

    @Test("An image without pixels is an invalid image") func noPixels() async throws {
        #expect(failure(VNImageRequestHandler(ciImage: .empty(), options: [:])) == .invalidImage)
        #expect(failure(VNImageRequestHandler(ciImage: .empty(), orientation: .left, options: [:])) == .invalidImage)
        #expect(failure(VNImageRequestHandler(cmSampleBuffer: .dropped, options: [:])) == .invalidImage)
        for error in await [
            modernFailure { try await $0.perform(on: CIImage.empty()) },
            modernFailure { try await $0.perform(on: CMSampleBuffer.dropped, orientation: .right) },
        ] {
            guard case .invalidImage? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        let request = VNDetectFaceRectanglesRequest()
        #expect(throws: NSError.self) { try VNSequenceRequestHandler().perform([request], on: CIImage.empty()) }
    }

    @Test("A file that cannot be read is an error with its path, and the address of a server is invalid")
    func unreadableFiles() async throws {
        let missing = URL(fileURLWithPath: "/nowhere/face.png")
        #expect(failure(VNImageRequestHandler(url: missing, options: [:])) == .ioError)
        guard case .ioError(let message)? = await modernFailure({ try await $0.perform(on: missing) }) else {
            Issue.record("no error")
            return
        }
        #expect(message.contains("/nowhere/face.png"))
        let folder = try TemporaryFolder()
        #expect(failure(VNImageRequestHandler(url: folder.url, options: [:])) == .ioError)
        let remote = try #require(URL(string: "https://localhost/face.png"))
        #expect(failure(VNImageRequestHandler(url: remote, options: [:])) == .invalidArgument)
    }

    @Test("Pictures of one color and of any size have no faces", arguments: [1, 2, 19, 20, 31, 200])
    func noFaces(_ side: Int) async throws {
        let picture = try PixelBuffer.bgra(side, 33) { _, _ in .gray(100) }
        let request = VNDetectFaceRectanglesRequest()
        try VNImageRequestHandler(cvPixelBuffer: CVBuffer(picture), orientation: .left, options: [:])
            .perform([request])
        #expect(request.results == [])
        #expect(try await DetectFaceRectanglesRequest().perform(on: CGImage(picture)).isEmpty)
    }

    @Test("An error of the engine keeps its message with the remedy") func messages() throws {
        let missing = ObscuraError(
            .vision, .libraryMissing, subject: "OpenCV", reason: "it is missing",
            remedy: .installPackages(["libopencv-dnn-dev"]))
        let error = NSError(VisionError(missing))
        #expect(error.code == VNErrorCode.operationFailed.rawValue)
        #expect(error.localizedDescription.contains("Install libopencv-dnn-dev"))
        #expect(VisionError(missing).localizedDescription == missing.description)
    }

    @Test("No requests are no error") func noRequests() throws {
        try VNImageRequestHandler(ciImage: .empty(), options: [:]).perform([])
    }
}
