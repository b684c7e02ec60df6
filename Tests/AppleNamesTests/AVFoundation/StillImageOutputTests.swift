// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import TestSupport
import Testing
import UIKit

/// The documented behavior of `AVCaptureStillImageOutput`.
@Suite("AVCaptureStillImageOutput") struct StillImageOutputTests {
    let session = AVCaptureSession()
    let output = AVCaptureStillImageOutput()

    init() throws {
        TestCameras.prepare
        let camera = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
    }

    private func take() async throws -> (sample: CMSampleBuffer?, error: AVError?) {
        let connection = try #require(output.connection(with: .video))
        return await withCheckedContinuation { continuation in
            output.captureStillImageAsynchronously(from: connection) { sample, error in
                continuation.resume(returning: (sample, error as? AVError))
            }
        }
    }

    @Test("A photo is a sample buffer with a JPEG file") func file() async throws {
        output.outputSettings = [AVVideoCodecKey: AVVideoCodecJPEG, AVVideoQualityKey: 0.5]
        await onThread { [session] in session.startRunning() }
        let (sample, error) = try await take()
        await onThread { [session] in session.stopRunning() }
        #expect(error == nil && !output.isCapturingStillImage)
        let photo = try #require(sample)
        let data = try #require(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(photo))
        #expect(UIImage(data: data)?.size == CGSize(width: 320, height: 240))
        #expect(photo.imageBuffer == nil && photo.numSamples == 1 && photo.dataBuffer?.dataLength == data.count)
        #expect(photo.formatDescription?.mediaSubType.rawValue == kCMVideoCodecType_JPEG)
        #expect(photo.presentationTimeStamp.isNumeric)
    }

    @Test("A photo in a pixel format is a sample buffer with pixels") func pixels() async throws {
        #expect(output.availableImageDataCVPixelFormatTypes.contains(NSNumber(value: kCVPixelFormatType_32BGRA)))
        output.outputSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        await onThread { [session] in session.startRunning() }
        let (sample, _) = try await take()
        await onThread { [session] in session.stopRunning() }
        let pixels = try #require(sample?.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA)
        #expect(sample.flatMap(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation) == nil)
    }

    @Test("A photo without a running session is an error, and settings that are not supported change nothing")
    func misuse() async throws {
        output.outputSettings = [AVVideoCodecKey: "none"]
        #expect(output.outputSettings[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
        let (sample, error) = try await take()
        #expect(sample == nil && error?.code == .sessionNotRunning)
        let other = AVCaptureVideoDataOutput()
        session.addOutput(other)
        let connection = try #require(other.connection(with: .video))
        let isRefused = await withCheckedContinuation { continuation in
            output.captureStillImageAsynchronously(from: connection) { continuation.resume(returning: $1 != nil) }
        }
        #expect(isRefused, "it is not a connection of this output")
    }
}
