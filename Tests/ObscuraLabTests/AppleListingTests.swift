// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Foundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing
import UIKit

@testable import AppleListings

/// The sources of iOS apps in `Tests/AppleListings` run on cameras of the kernel.
@Suite("iOS sources on cameras", .guest, .serialized)
final class AppleListingTests {
    /// What vivid's picture generator shows, by the numbers of its menu.
    private enum Pattern: Int {
        case columns = 1
        case rows = 3
        case white = 6
        case red = 7
        case blue = 9
    }

    private let cameras: Cameras

    init() throws { cameras = try Cameras() }

    deinit {
        for camera in [cameras.front, cameras.back] {
            for control in ["test_pattern", "osd_text_mode"] { try? camera.set(control, to: 0) }
        }
    }

    /// The two cameras, without text in their pictures.
    private struct Cameras {
        let front: VividCamera
        let back: VividCamera

        init() throws {
            let cameras = try VividCamera.all()
            front = try #require(cameras.last)
            back = try #require(cameras.first)
            setenv("OBSCURA_CAMERAS", "front=\(front.path);back=\(back.path)", 1)
            for camera in [front, back] { try camera.set("osd_text_mode", to: 2) }
        }

        func show(front: Pattern? = nil, back: Pattern? = nil) throws {
            if let front { try self.front.set("test_pattern", to: front.rawValue) }
            if let back { try self.back.set("test_pattern", to: back.rawValue) }
        }
    }

    /// Keeps the last image.
    private final class LastImage: FrameExtractorDelegate {
        private let last = Lock<UIImage?>(nil)

        func captured(image: UIImage) { last.withLock { $0 = image } }

        /// Whether the colours from left to right, or from top to bottom, are those.
        func shows(_ colors: [(red: Int, green: Int, blue: Int)], inRows: Bool) -> Bool {
            guard let picture = last.withLock({ $0 })?.cgImage?.picture else { return false }
            return colors.enumerated().allSatisfy { index, color in
                let (x, y) = inRows ? (1, 2 * index + 1) : (2 * index + 1, 1)
                let (columns, rows) = inRows ? (2, 2 * colors.count) : (2 * colors.count, 2)
                return picture.shows(color, x: x * picture.width / columns, y: y * picture.height / rows)
            }
        }
    }

    @Test("FrameExtractor delivers upright, mirrored images") func frameExtractor() async {
        // It has the camera until its process ends.
        await #expect(processExitsWith: .success) { try await AppleListingTests.extract() }
    }

    private static func extract() async throws {
        let cameras = try Cameras()
        try cameras.show(front: .columns)
        let images = LastImage()
        let extractor = FrameExtractor()
        extractor.delegate = images
        // Its blocks on the main queue do not own it: it stays.
        _ = Unmanaged.passRetained(extractor)
        try #require(await becomes { images.shows(VividCamera.bars.reversed(), inRows: false) })
        try cameras.show(front: .rows)
        try #require(await becomes { images.shows(VividCamera.bars, inRows: true) })
    }

    @Test("CameraController prepares, delivers BGRA, and switches") func cameraController() async throws {
        try cameras.show(front: .blue, back: .red)
        // Used by one task at a time.
        nonisolated(unsafe) let controller = CameraController()
        let result = Lock<Result<Void, any Error>?>(nil)
        let last = Lock<PixelBuffer?>(nil)
        controller.videoCaptureCompletionBlockCMS = { sample in
            last.withLock { $0 = CMSampleBufferGetImageBuffer(sample)?.picture }
        }
        controller.prepare { error in result.withLock { $0 = error.map { .failure($0) } ?? .success(()) } }
        #expect(await becomes { result.withLock { $0 } != nil })
        try #require(result.withLock { $0 }).get()
        let shows = { (color: (red: Int, green: Int, blue: Int)) in
            last.withLock { $0.map { $0.format == .bgra && $0.shows(color, x: $0.width / 2, y: $0.height / 2) } }
                == true
        }
        #expect(await becomes { shows((1, 0, 0)) })
        await onThread { try? controller.switchToFrontCamera() }
        #expect(controller.currentCameraPosition == .front)
        #expect(await becomes { shows((0, 0, 1)) })
        await onThread { controller.captureSession?.stopRunning() }
    }

    @Test("GreenToZero writes a movie without green") func greenToZero() async throws {
        try cameras.show(back: .white)
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (width, height) = (320, 240)
        let writer = try GreenToZero(url: URL(fileURLWithPath: path), width: width, height: height)
        let (session, output) = (AVCaptureSession(), AVCaptureVideoDataOutput())
        let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.addInput(try AVCaptureDeviceInput(device: device))
        output.videoSettings = [
            kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
            kCVPixelBufferWidthKey as String: width, kCVPixelBufferHeightKey as String: height,
        ]
        let counter = Counter(writer)
        output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "frames"))
        session.addOutput(output)
        await onThread { session.startRunning() }
        #expect(await becomes { counter.count >= 5 })
        await onThread { session.stopRunning() }
        let isComplete = Lock<Bool?>(nil)
        writer.finish { value in isComplete.withLock { $0 = value } }
        #expect(await becomes { isComplete.withLock { $0 } != nil })
        #expect(isComplete.withLock { $0 } == true)
        let rgb = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        #expect(rgb.count == width * height * 3)
        let mean = { channel in
            stride(from: channel, to: rgb.count, by: 3).reduce(0.0) { $0 + Double(rgb[$1]) } / Double(width * height)
        }
        #expect(mean(0) > 240 && mean(1) < 8 && mean(2) > 240, "\(mean(0)) \(mean(1)) \(mean(2))")
    }

    /// Counts the frames that it passes on.
    private final class Counter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
        private let target: GreenToZero
        private let frames = Lock(0)

        init(_ target: GreenToZero) { self.target = target }

        var count: Int { frames.withLock { $0 } }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            target.captureOutput(output, didOutput: sampleBuffer, from: connection)
            frames.withLock { $0 += 1 }
        }
    }
}

extension PixelBuffer {
    /// Whether the pixel has the color, but for the rounding of two conversions. For BGRA.
    fileprivate func shows(_ color: (red: Int, green: Int, blue: Int), x: Int, y: Int) -> Bool {
        let at = y * bytesPerRow(ofPlane: 0) + 4 * x
        let pixel = withBytes(ofPlane: 0) { bytes in
            (0..<3).map { Int(bytes.unsafeLoad(fromByteOffset: at + $0, as: UInt8.self)) }
        }
        return zip(pixel, [color.blue, color.green, color.red]).allSatisfy { abs($0 - 255 * $1) <= 10 }
    }
}
