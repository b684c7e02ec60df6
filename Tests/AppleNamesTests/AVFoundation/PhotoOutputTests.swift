// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing
import UIKit

/// The documented behavior of `AVCapturePhotoOutput`.
@Suite("AVCapturePhotoOutput") struct PhotoOutputTests {
    let session = AVCaptureSession()
    let output = AVCapturePhotoOutput()
    let record = PhotoRecord()

    /// A session with a camera at the back: 320x240, with a larger mode if `large`.
    init() throws {
        TestCameras.prepare
        let camera = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
    }

    /// Starts the session, takes a photo, and returns it with all that was reported.
    private func take(_ settings: sending AVCapturePhotoSettings) async throws -> PhotoRecord.Report {
        await onThread { [session] in session.startRunning() }
        output.capturePhoto(with: settings, delegate: record)
        #expect(await becomes { record.hasEnded() })
        await onThread { [session] in session.stopRunning() }
        return record.now
    }

    @Test("Preparing tells whether photos with some settings can be taken") func preparing() async {
        func answer(_ settings: [AVCapturePhotoSettings]) async -> (isPrepared: Bool, error: (any Error)?) {
            await withCheckedContinuation { continuation in
                output.setPreparedPhotoSettingsArray(settings) { continuation.resume(returning: ($0, $1)) }
            }
        }
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        let good = await answer([settings, AVCapturePhotoSettings()])
        #expect(good.isPrepared && good.error == nil)
        settings.flashMode = .on
        let bad = await answer([AVCapturePhotoSettings(), settings])
        #expect(!bad.isPrepared && bad.error is AVError, "the camera has no flash")
        #expect(await answer([]).isPrepared)
        output.setPreparedPhotoSettingsArray([settings], completionHandler: nil)
    }

    @Test("Live photos cannot be enabled") func livePhotos() {
        #expect(!output.isLivePhotoCaptureSupported)
        output.isLivePhotoCaptureEnabled = true
        #expect(!output.isLivePhotoCaptureEnabled)
    }

    @Test("A capture reports its beginning, the exposure, the photo and its end, in this order") func order()
        async throws
    {
        let settings = AVCapturePhotoSettings()
        let id = settings.uniqueID
        let report = try await take(settings)
        #expect(report.events == ["begin", "expose", "exposed", "photo", "end"] && report.errors == [nil])
        #expect(report.settings.allSatisfy { $0.uniqueID == id })
        let resolved = try #require(report.settings.first)
        #expect(resolved.photoDimensions == CMVideoDimensions(width: 320, height: 240))
        #expect(resolved.previewDimensions == CMVideoDimensions() && resolved.expectedPhotoCount == 1)
        #expect(!resolved.isFlashEnabled)
    }

    @Test("A photo is a JPEG file of the frame, with the time and the metadata of the capture") func file() async throws
    {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.metadata = [
            kCGImagePropertyGPSDictionary as String: [
                kCGImagePropertyGPSLatitude as String: 54.5, kCGImagePropertyGPSLatitudeRef as String: "N",
                kCGImagePropertyGPSLongitude as String: 9.25, kCGImagePropertyGPSLongitudeRef as String: "W",
            ],
            kCGImagePropertyTIFFDictionary as String: [kCGImagePropertyTIFFArtist as String: "Ada"],
        ]
        let before = CMClock.hostTimeClock.time
        let photo = try #require(try await take(settings).photos.first)
        let data = try #require(photo.fileDataRepresentation())
        let image = try #require(UIImage(data: data))
        #expect(image.size == CGSize(width: 320, height: 240) && image.imageOrientation == .up)
        #expect(
            photo.pixelBuffer == nil && photo.previewPixelBuffer == nil && photo.photoCount == 1 && !photo.isRawPhoto)
        // The frame on screen, which may be one of those before the call.
        #expect(abs((photo.timestamp - before).seconds) < 5)
        let picture = try #require(photo.cgImageRepresentation())
        #expect(picture.width == 320 && picture.height == 240)
        let metadata = photo.metadata
        #expect(metadata[kCGImagePropertyOrientation as String] as? UInt32 == 1)
        #expect(metadata[kCGImagePropertyPixelWidth as String] as? Int == 320)
        let place = try #require(metadata[kCGImagePropertyGPSDictionary as String] as? [String: Any])
        #expect(place[kCGImagePropertyGPSLongitudeRef as String] as? String == "W")
        let exif = try #require(metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
        #expect((exif[kCGImagePropertyExifDateTimeOriginal as String] as? String)?.count == 19)
        let stored = try StillInfo(Array(data))
        #expect(stored.metadata.location?.latitude == 54.5 && stored.metadata.location?.longitude == -9.25)
        #expect(stored.metadata.author == "Ada")
    }

    @Test("A rotated connection stores the pixels as they are, and the orientation in the file and the metadata")
    func orientation() async throws {
        let connection = try #require(output.connection(with: .video))
        connection.videoOrientation = .landscapeLeft
        connection.isVideoMirrored = true
        let photo = try #require(try await take(AVCapturePhotoSettings()).photos.first)
        let data = try #require(photo.fileDataRepresentation())
        let image = try #require(UIImage(data: data))
        #expect(image.imageOrientation == .leftMirrored && image.size == CGSize(width: 240, height: 320))
        #expect(
            photo.metadata[kCGImagePropertyOrientation as String] as? UInt32
                == CGImagePropertyOrientation.leftMirrored.rawValue)
        #expect(photo.cgImageRepresentation()?.width == 320)
    }

    @Test(
        "A photo in a pixel format is a buffer without a file",
        arguments: [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        ])
    func pixels(_ type: OSType) async throws {
        #expect(output.availablePhotoPixelFormatTypes.contains(type))
        let settings = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: type])
        #expect(settings.processedFileType == nil)
        let photo = try #require(try await take(settings).photos.first)
        let buffer = try #require(photo.pixelBuffer)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == type && CVPixelBufferGetWidth(buffer) == 320)
        #expect(photo.fileDataRepresentation() == nil && photo.cgImageRepresentation()?.height == 240)
    }

    @Test("A preview and a thumbnail are fitted into the size that was asked for") func preview() async throws {
        let settings = AVCapturePhotoSettings()
        let type = try #require(settings.availablePreviewPhotoPixelFormatTypes.first)
        settings.previewPhotoFormat = [
            kCVPixelBufferPixelFormatTypeKey as String: type, kCVPixelBufferWidthKey as String: 160,
            kCVPixelBufferHeightKey as String: 160,
        ]
        settings.embeddedThumbnailPhotoFormat = [
            AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 80, AVVideoHeightKey: 80,
        ]
        let report = try await take(settings)
        let photo = try #require(report.photos.first)
        let small = try #require(photo.previewPixelBuffer)
        #expect(CVPixelBufferGetWidth(small) == 160 && CVPixelBufferGetHeight(small) == 120)
        #expect(photo.previewCGImageRepresentation()?.width == 160)
        #expect(photo.resolvedSettings.previewDimensions == CMVideoDimensions(width: 160, height: 120))
        #expect(photo.resolvedSettings.embeddedThumbnailDimensions == CMVideoDimensions(width: 80, height: 60))
        let info = try StillInfo(Array(try #require(photo.fileDataRepresentation())))
        #expect(info.thumbnail != nil)
    }

    @Test("Several captures run at once, each with its own events") func several() async throws {
        await onThread { [session] in session.startRunning() }
        let all = (0..<4).map { _ in AVCapturePhotoSettings() }
        let ids = all.map(\.uniqueID)
        for settings in all { output.capturePhoto(with: settings, delegate: record) }
        #expect(await becomes { record.hasEnded(4) })
        await onThread { [session] in session.stopRunning() }
        let report = record.now
        #expect(report.errors == [nil, nil, nil, nil])
        #expect(Set(ids).count == 4 && Set(report.photos.map(\.resolvedSettings.uniqueID)) == Set(ids))
        for id in ids {
            let events = zip(report.events, report.settings).filter { $0.1.uniqueID == id }.map(\.0)
            #expect(events == ["begin", "expose", "exposed", "photo", "end"])
        }
    }

    // MARK: Misuse

    @Test("A capture without a running session ends with an error that says so") func notRunning() async {
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: record)
        #expect(await becomes { record.hasEnded() })
        #expect(record.now.errors == [record.now.errors.first] && record.now.errors.first??.code == .sessionNotRunning)
        // A delegate that waits for its photo only is told as well.
        #expect(record.now.photos.isEmpty && record.now.events.suffix(2) == ["photo", "end"])
    }

    @Test("Settings that were used are refused, and a copy of them is not") func reuse() async throws {
        await onThread { [session] in session.startRunning() }
        let settings = AVCapturePhotoSettings()
        settings.metadata = ["{IPTC}": ["ObjectName": "Title"]]
        output.capturePhoto(with: settings, delegate: record)
        output.capturePhoto(with: settings, delegate: record)
        let copy = AVCapturePhotoSettings(from: settings)
        #expect(copy.uniqueID != settings.uniqueID && copy.metadata.count == 1)
        output.capturePhoto(with: copy, delegate: record)
        #expect(await becomes { record.hasEnded(3) })
        await onThread { [session] in session.stopRunning() }
        #expect(record.now.photos.count == 2 && record.now.errors.compactMap { $0 }.count == 1)
    }

    @Test("Settings that the camera cannot apply end the capture with an error") func unsupported() async throws {
        await onThread { [session] in session.startRunning() }
        let wrong = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        let flash = AVCapturePhotoSettings()
        flash.flashMode = .on
        let large = AVCapturePhotoSettings()
        large.isHighResolutionPhotoEnabled = true
        let odd = AVCapturePhotoSettings()
        odd.maxPhotoDimensions = CMVideoDimensions(width: 17, height: 4)
        let preview = AVCapturePhotoSettings()
        preview.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey: 7]
        #expect(output.supportedFlashModes == [.off])
        output.capturePhoto(with: wrong, delegate: record)
        output.capturePhoto(with: flash, delegate: record)
        output.capturePhoto(with: large, delegate: record)
        output.capturePhoto(with: odd, delegate: record)
        output.capturePhoto(with: preview, delegate: record)
        #expect(await becomes { record.hasEnded(5) })
        await onThread { [session] in session.stopRunning() }
        #expect(record.now.errors.compactMap { $0 }.count == 5 && record.now.photos.isEmpty)
        #expect(record.now.errors.allSatisfy { $0?.localizedDescription.contains("photo settings") == true })
    }

    @Test("A delegate that nobody else retains receives its photo") func retained() async throws {
        await onThread { [session] in session.startRunning() }
        let data = await withCheckedContinuation { (continuation: CheckedContinuation<Data?, Never>) in
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: Receiver(continuation))
        }
        await onThread { [session] in session.stopRunning() }
        #expect(data.flatMap { UIImage(data: $0) } != nil)
    }

    @Test("A capture that fails tells so with an empty photo") func failedPhoto() async {
        let data = await withCheckedContinuation { (continuation: CheckedContinuation<Data?, Never>) in
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: Receiver(continuation))
        }
        #expect(data == nil)
    }

    private final class Receiver: NSObject, AVCapturePhotoCaptureDelegate {
        private let continuation: CheckedContinuation<Data?, Never>

        init(_ continuation: CheckedContinuation<Data?, Never>) { self.continuation = continuation }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { continuation.resume(returning: photo.fileDataRepresentation()) }
    }

    @Test("Files are JPEG, and there are no codecs for other files") func abilities() {
        #expect(output.availablePhotoCodecTypes == [.jpeg] && output.availablePhotoFileTypes == [.jpg])
        #expect(
            output.supportedPhotoCodecTypes(for: .jpg) == [.jpeg] && output.supportedPhotoCodecTypes(for: .mov) == [])
        #expect(!output.isLivePhotoCaptureSupported && !output.isDepthDataDeliverySupported)
        #expect(output.availableRawPhotoPixelFormatTypes.isEmpty)
        #expect(output.maxPhotoDimensions == CMVideoDimensions(width: 320, height: 240))
    }
}
