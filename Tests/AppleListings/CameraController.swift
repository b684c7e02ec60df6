// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
// swift-format-ignore-file
//
// A camera controller of the prepare-then-callback kind, BGRA frames, front and rear, as iOS apps have it.
import AVFoundation
import CoreImage
import UIKit

extension CMSampleBuffer {
    func imageWithCGImage(orientation: UIImage.Orientation = .up, scale: CGFloat = 1.0) -> UIImage? {
        guard let buffer = CMSampleBufferGetImageBuffer(self) else { return nil }
        let ciImage = CIImage(cvPixelBuffer: buffer)
        let context = CIContext(options: nil)
        guard let cg = context.createCGImage(ciImage, from: ciImage.extent) else { return nil }
        return UIImage(cgImage: cg, scale: scale, orientation: orientation)
    }
}

final class CameraController: NSObject {
    enum CameraControllerError: Swift.Error {
        case captureSessionAlreadyRunning, captureSessionIsMissing, inputsAreInvalid
        case invalidOperation, noCamerasAvailable, unknown
    }
    enum CameraPosition { case front, rear }

    var captureSession: AVCaptureSession?
    var frontCamera: AVCaptureDevice?
    var rearCamera: AVCaptureDevice?
    var currentCameraPosition: CameraPosition?
    var frontCameraInput: AVCaptureDeviceInput?
    var rearCameraInput: AVCaptureDeviceInput?
    var videoOutput: AVCaptureVideoDataOutput?
    var videoCaptureCompletionBlock: ((UIImage) -> Void)?
    var videoCaptureCompletionBlockCMS: ((CMSampleBuffer) -> Void)?

    func prepare(completionHandler: @escaping (Error?) -> Void) {
        func createCaptureSession() { captureSession = AVCaptureSession() }

        func configureCaptureDevices() throws {
            let session = AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified)
            let cameras = session.devices.compactMap { $0 }
            guard !cameras.isEmpty else { throw CameraControllerError.noCamerasAvailable }
            for camera in cameras {
                if camera.position == .front { frontCamera = camera }
                if camera.position == .back {
                    rearCamera = camera
                    try camera.lockForConfiguration()
                    if camera.isFocusModeSupported(.continuousAutoFocus) { camera.focusMode = .continuousAutoFocus }
                    camera.unlockForConfiguration()
                }
            }
        }

        func configureDeviceInputs() throws {
            guard let captureSession else { throw CameraControllerError.captureSessionIsMissing }
            if let rearCamera {
                let input = try AVCaptureDeviceInput(device: rearCamera)
                if captureSession.canAddInput(input) { captureSession.addInput(input) }
                rearCameraInput = input
                currentCameraPosition = .rear
            } else if let frontCamera {
                let input = try AVCaptureDeviceInput(device: frontCamera)
                guard captureSession.canAddInput(input) else { throw CameraControllerError.inputsAreInvalid }
                captureSession.addInput(input)
                frontCameraInput = input
                currentCameraPosition = .front
            } else {
                throw CameraControllerError.noCamerasAvailable
            }
        }

        func configureVideoDataOutput() throws {
            guard let captureSession else { throw CameraControllerError.captureSessionIsMissing }
            let output = AVCaptureVideoDataOutput()
            output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "videoDataOutputQueue"))
            output.alwaysDiscardsLateVideoFrames = false
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: kCVPixelFormatType_32BGRA)]
            if captureSession.canAddOutput(output) { captureSession.addOutput(output) }
            videoOutput = output
            captureSession.startRunning()
        }

        DispatchQueue(label: "prepare").async {
            do {
                createCaptureSession()
                try configureCaptureDevices()
                try configureDeviceInputs()
                try configureVideoDataOutput()
            } catch {
                DispatchQueue.main.async { completionHandler(error) }
                return
            }
            DispatchQueue.main.async { completionHandler(nil) }
        }
    }

    func switchToFrontCamera() throws {
        guard let captureSession, let rearCameraInput, let frontCamera else { throw CameraControllerError.invalidOperation }
        captureSession.beginConfiguration()
        captureSession.removeInput(rearCameraInput)
        let input = try AVCaptureDeviceInput(device: frontCamera)
        if captureSession.canAddInput(input) { captureSession.addInput(input) }
        frontCameraInput = input
        currentCameraPosition = .front
        captureSession.commitConfiguration()
    }
}

extension CameraController: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        videoCaptureCompletionBlockCMS?(sampleBuffer)
        if let image = sampleBuffer.imageWithCGImage(orientation: .up, scale: 1.0) { videoCaptureCompletionBlock?(image) }
    }
}
