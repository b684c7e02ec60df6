// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import CoreImage
import ObscuraBase
import ObscuraDrivers
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing
import UIKit

@testable import AppleListings

/// The sources of iOS apps in `Tests/AppleListings` run as they do on a phone.
@Suite("iOS sources", .serialized, .hangLimit) struct ListingTests {
    init() { TestCameras.prepare }

    /// Keeps the images that come to the main thread.
    private final class Images: FrameExtractorDelegate {
        private static let key = DispatchSpecificKey<Bool>()
        private let received = Lock<(images: [UIImage], isOnMain: Bool)>(([], true))

        init() { DispatchQueue.main.setSpecific(key: Self.key, value: true) }

        var images: [UIImage] { received.withLock { $0.images } }
        var isOnMain: Bool { received.withLock { $0.isOnMain } }

        func captured(image: UIImage) {
            let isMain = DispatchQueue.getSpecific(key: Self.key) == true
            received.withLock { received in
                received.images.append(image)
                received.isOnMain = received.isOnMain && isMain
            }
        }
    }

    /// Objects that blocks on the main queue refer to without owning them.
    private static let kept = Lock<[FrameExtractor]>([])

    @Test("FrameExtractor delivers upright, mirrored images of the front camera on the main queue")
    func frameExtractor() async {
        // It has the camera until its process ends.
        await #expect(processExitsWith: .success) { try await ListingTests.extract() }
    }

    private static func extract() async throws {
        TestCameras.prepare
        let images = Images()
        let extractor = FrameExtractor()
        kept.withLock { $0.append(extractor) }
        extractor.delegate = images
        #expect(await becomes { images.images.count >= 10 })
        extractor.delegate = nil
        #expect(images.isOnMain)
        var numbers: [UInt64] = []
        for image in images.images {
            #expect(image.size == CGSize(width: TestCameras.front.width, height: TestCameras.front.height))
            #expect(image.imageOrientation == .up)
            let picture = try #require(image.cgImage).picture
            var request = ImageRequest()
            request.isMirrored = true
            let seen = try ImageTransformer.transform(picture, request)
            let number = try #require(PatternScene.readSequence(of: seen))
            #expect(PatternScene.readSequence(of: picture) != number, "it is mirrored")
            numbers.append(number)
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 < 10_000 })
    }

    @Test("CameraController prepares the back camera, delivers BGRA, and switches to the front camera")
    func cameraController() async throws {
        // Used by one task at a time.
        nonisolated(unsafe) let controller = CameraController()
        let result = Lock<Result<Void, any Error>?>(nil)
        let formats = Lock<[(type: OSType, width: Int, height: Int)]>([])
        controller.videoCaptureCompletionBlockCMS = { sample in
            guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return }
            formats.withLock {
                $0.append(
                    (
                        CVPixelBufferGetPixelFormatType(pixels), CVPixelBufferGetWidth(pixels),
                        CVPixelBufferGetHeight(pixels)
                    ))
            }
        }
        controller.prepare { error in result.withLock { $0 = error.map { .failure($0) } ?? .success(()) } }
        #expect(await becomes { result.withLock { $0 } != nil })
        try #require(result.withLock { $0 }).get()
        #expect(controller.currentCameraPosition == .rear)
        #expect(await becomes { formats.withLock { $0.count } >= 3 })
        #expect(formats.withLock { $0.allSatisfy { $0.type == kCVPixelFormatType_32BGRA } })
        // The last of two back cameras is the one that is kept.
        #expect(formats.withLock { $0.first?.width } == 160)
        await onThread { try? controller.switchToFrontCamera() }
        #expect(controller.currentCameraPosition == .front)
        #expect(await becomes { formats.withLock { $0.last?.width } == TestCameras.front.width })
        await onThread { controller.captureSession?.stopRunning() }
        #expect(controller.captureSession?.isRunning == false)
    }

    @Test("GreenToZero writes a movie without green, with its location")
    func greenToZero() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (width, height) = TestCameras.back
        let writer = try GreenToZero(url: URL(fileURLWithPath: path), width: width, height: height)
        let session = AVCaptureSession()
        let devices = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .back
        ).devices
        session.addInput(try AVCaptureDeviceInput(device: try #require(devices.first)))
        let output = AVCaptureVideoDataOutput()
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        let counter = Counter(writer)
        output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "frames"))
        session.addOutput(output)
        await onThread { session.startRunning() }
        #expect(await becomes { counter.count >= 30 })
        await onThread { session.stopRunning() }
        let isComplete = Lock<Bool?>(nil)
        writer.finish { value in isComplete.withLock { $0 = value } }
        #expect(await becomes { isComplete.withLock { $0 } != nil })
        #expect(isComplete.withLock { $0 } == true)

        let frames = try Probe(path).frames
        #expect(frames.count >= 20)
        // Without green, a picture has red and blue only: the decoded channel is 0, but for the noise of the encoder.
        let rgb = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-frames:v", "10", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        #expect(rgb.count == 10 * width * height * 3)
        let green = stride(from: 1, to: rgb.count, by: 3).reduce(0.0) { $0 + Double(rgb[$1]) } / Double(rgb.count / 3)
        let red = stride(from: 0, to: rgb.count, by: 3).reduce(0.0) { $0 + Double(rgb[$1]) } / Double(rgb.count / 3)
        #expect(green < 12 && red > 40, "\(green) \(red)")
        let location = try ExifTool(path).fields.first { $0.key.hasSuffix("GPSCoordinates") }?.value ?? ""
        #expect(location.hasPrefix("55.75") && location.contains("37.61"), "\(location)")
    }

    /// Counts the frames that it passes on.
    private final class Counter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
        private let target: GreenToZero
        private let frames = Lock(0)

        init(_ target: GreenToZero) {
            self.target = target
        }

        var count: Int { frames.withLock { $0 } }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            target.captureOutput(output, didOutput: sampleBuffer, from: connection)
            frames.withLock { $0 += 1 }
        }
    }
}
