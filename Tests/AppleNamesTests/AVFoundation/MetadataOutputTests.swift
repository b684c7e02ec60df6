// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The documented behavior of `AVCaptureMetadataOutput`.
@Suite("AVCaptureMetadataOutput", .needsFaces, .hangLimit) struct MetadataOutputTests {
    /// Keeps what the output reports.
    private final class Record: NSObject, AVCaptureMetadataOutputObjectsDelegate {
        private let state = Lock((last: [AVMetadataObject](), calls: 0, isOnQueue: true))
        let queue = DispatchQueue(label: "metadata")

        override init() { queue.setSpecific(key: SampleRecord.key, value: 7) }

        var last: [AVMetadataObject] { state.withLock { $0.last } }
        var calls: Int { state.withLock { $0.calls } }
        var isOnQueue: Bool { state.withLock { $0.isOnQueue } }

        func metadataOutput(
            _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
            from connection: AVCaptureConnection
        ) {
            state.withLock { state in
                (state.last, state.calls) = (metadataObjects, state.calls + 1)
                state.isOnQueue = state.isOnQueue && DispatchQueue.getSpecific(key: SampleRecord.key) == 7
            }
        }
    }

    private let session = AVCaptureSession()
    private let output = AVCaptureMetadataOutput()
    private let record = Record()
    private let photo: FacePhoto
    private let film: TemporaryFolder

    /// A session whose camera is a film of the photo with a face, of a minute.
    init() throws {
        TestCameras.prepare
        photo = try FacePhoto()
        film = try TemporaryFolder()
        try photo.file().write(to: URL(fileURLWithPath: film("face.png")))
        try Tool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-loop", "1", "-framerate", "10", "-t", "60", "-i", film("face.png"), "-c:v",
                "mjpeg", "-q:v", "2", film("face.avi"),
            ])
        session.addInput(
            try AVCaptureDeviceInput(device: AVCaptureDevice.of(try CaptureDevice.named(film("face.avi")))))
    }

    @Test("Kinds of objects are available with a camera, and only those can be set") func types() {
        #expect(output.availableMetadataObjectTypes.isEmpty)
        output.metadataObjectTypes = [.face]
        #expect(output.metadataObjectTypes == [])
        session.addOutput(output)
        #expect(output.availableMetadataObjectTypes == [.face] && output.metadataObjectTypes == [])
        output.metadataObjectTypes = [.face]
        #expect(output.metadataObjectTypes == [.face])
        output.metadataObjectTypes = [.init(rawValue: "org.iso.QRCode")]
        #expect(output.metadataObjectTypes == [.face])
        #expect(output.rectOfInterest == CGRect(x: 0, y: 0, width: 1, height: 1))
    }

    @Test("A face is reported on the delegate's queue, where the detector finds it, and keeps its number")
    func face() async throws {
        output.setMetadataObjectsDelegate(record, queue: record.queue)
        #expect(output.metadataObjectsDelegate === record && output.metadataObjectsCallbackQueue === record.queue)
        session.addOutput(output)
        output.metadataObjectTypes = [.face]
        let layer = AVCaptureVideoPreviewLayer(session: session)
        layer.frame = CGRect(x: 0, y: 0, width: 400, height: 300)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { record.calls >= 3 && !record.last.isEmpty })
        let face = try #require(record.last.first as? AVMetadataFaceObject)
        let found = CGRect(
            x: photo.face.bounds.x, y: photo.face.bounds.y, width: photo.face.bounds.width,
            height: photo.face.bounds.height)
        let place = try #require(layer.transformedMetadataObject(for: face))
        #expect(place.bounds.isNear(found, 12), "\(place.bounds) instead of \(found)")
        #expect(face.type == .face && face.time.isNumeric && !face.hasRollAngle && !face.hasYawAngle)
        let calls = record.calls
        #expect(await becomes { record.calls >= calls + 2 })
        #expect((record.last.first as? AVMetadataFaceObject)?.faceID == face.faceID && record.isOnQueue)
        // A part of the picture without the face; the end of the face is told.
        output.rectOfInterest = CGRect(x: 0.9, y: 0.9, width: 0.1, height: 0.1)
        #expect(await becomes { record.last.isEmpty })
        await onThread { [session] in session.stopRunning() }
    }

    @Test("The place of a face is that in the camera's picture, also if the connection mirrors it") func mirrored()
        async throws
    {
        output.setMetadataObjectsDelegate(record, queue: record.queue)
        session.addOutput(output)
        output.metadataObjectTypes = [.face]
        try #require(output.connection(with: .video)).isVideoMirrored = true
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { !record.last.isEmpty })
        let face = try #require(record.last.first)
        let found = CGRect(
            x: CGFloat(photo.face.bounds.x) / 400, y: CGFloat(photo.face.bounds.y) / 300,
            width: CGFloat(photo.face.bounds.width) / 400, height: CGFloat(photo.face.bounds.height) / 300)
        // The mirrored face is found a little elsewhere.
        #expect(face.bounds.isNear(found, 0.06), "\(face.bounds) instead of \(found)")
        await onThread { [session] in session.stopRunning() }
    }

    @Test("Without a kind of objects nothing is searched or reported") func nothing() async throws {
        let (video, frames) = (AVCaptureVideoDataOutput(), SampleRecord(keeps: true))
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        output.setMetadataObjectsDelegate(record, queue: record.queue)
        session.addOutput(video)
        session.addOutput(output)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { frames.delivered.count >= 5 })
        #expect(record.calls == 0)
        output.metadataObjectTypes = [.face]
        #expect(await becomes { record.calls > 0 })
        output.metadataObjectTypes = []
        await onThread { [session] in session.stopRunning() }
    }
}
