// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Foundation

/// Reads the camera with Apple's names.
enum AppleCamera {
    /// A problem of the session.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ camera: String, _ meter: FrameMeter) async throws {
        setenv("OBSCURA_CAMERAS", "back=\(camera)", 1)
        guard let device = AVCaptureDevice.default(for: .video) else { throw Problem(description: "no camera") }
        let (session, output) = (AVCaptureSession(), AVCaptureVideoDataOutput())
        let input = try AVCaptureDeviceInput(device: device)
        output.videoSettings = [
            kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: kCVPixelFormatType_32BGRA)
        ]
        let delegate = Delegate(meter)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "frames"))
        guard session.canAddInput(input), session.canAddOutput(output) else {
            throw Problem(description: "the session refuses the camera or the output")
        }
        session.beginConfiguration()
        session.addInput(input)
        session.addOutput(output)
        session.commitConfiguration()
        session.startRunning()
        await meter.wait()
        session.stopRunning()
        withExtendedLifetime(delegate) {}
    }

    private final class Delegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
        private let meter: FrameMeter

        init(_ meter: FrameMeter) { self.meter = meter }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
            CVPixelBufferLockBaseAddress(pixels, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
            guard let base = CVPixelBufferGetBaseAddress(pixels) else { return }
            meter.count(byte: base.load(as: UInt8.self))
        }
    }
}
