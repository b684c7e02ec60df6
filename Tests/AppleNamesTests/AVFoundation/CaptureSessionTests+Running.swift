// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// What a session delivers and posts while it runs.
extension CaptureSessionTests {
    @Test("A session without inputs runs, and delivers as soon as it has some") func inputsLater() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        await run { [session] in session.startRunning() }
        #expect(session.isRunning)
        let input = try AVCaptureDeviceInput(device: front)
        await run { [session] in
            session.addOutput(output)
            session.addInput(input)
        }
        #expect(await becomes { record.delivered.count >= 2 })
        await run { [session] in session.stopRunning() }
        #expect(!session.isRunning)
    }

    @Test("Frames come on the delegate's queue, in order and one at a time, from start to stop") func frames()
        async throws
    {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        #expect(output.sampleBufferDelegate === record && output.sampleBufferCallbackQueue === record.queue)
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        await run { [session] in session.startRunning() }
        #expect(session.isRunning)
        #expect(await becomes { record.delivered.count >= 5 })
        await run { [session] in session.stopRunning() }
        #expect(!session.isRunning)
        let samples = record.delivered
        #expect(samples.allSatisfy { $0.isOnQueue && !$0.overlaps })
        #expect(samples.allSatisfy { $0.connection === output.connection(with: .video) })
        let times = samples.map { $0.buffer.presentationTimeStamp }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        let first = try #require(samples.first).buffer
        #expect(first.duration == CMTime(value: 1, timescale: 30) && first.numSamples == 1 && first.isValid)
        let format = try #require(CMSampleBufferGetFormatDescription(first))
        #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_Video)
        #expect(
            CMFormatDescriptionGetMediaSubType(format) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 640, height: 480))
        #expect(samples.allSatisfy { $0.buffer.formatDescription === format })
        let pixels = try #require(first.imageBuffer)
        #expect(CVPixelBufferGetPlaneCount(pixels) == 2 && CVPixelBufferGetWidth(pixels) == 640)
    }

    @Test("A frame that comes while the delegate is busy is dropped as late, unless late frames are kept")
    func lateFrames() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord(isBlocked: true))
        #expect(output.alwaysDiscardsLateVideoFrames)
        let (patient, other) = (AVCaptureVideoDataOutput(), SampleRecord(isBlocked: true))
        patient.alwaysDiscardsLateVideoFrames = false
        output.setSampleBufferDelegate(record, queue: record.queue)
        patient.setSampleBufferDelegate(other, queue: other.queue)
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        session.addOutput(patient)
        let watch = SampleRecord()
        let watcher = AVCaptureVideoDataOutput()
        watcher.setSampleBufferDelegate(watch, queue: watch.queue)
        session.addOutput(watcher)
        await run { [session] in session.startRunning() }
        #expect(await becomes { watch.delivered.count >= 8 && record.delivered.count == 1 })
        record.release()
        other.release()
        #expect(await becomes { record.delivered.count >= 3 && other.delivered.count >= 5 })
        await run { [session] in session.stopRunning() }
        let dropped = record.dropped
        #expect(dropped.count >= 3)
        for sample in dropped {
            #expect(sample.imageBuffer == nil && sample.numSamples == 0 && sample.presentationTimeStamp.isNumeric)
            let reason = CMGetAttachment(
                sample, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
            #expect(reason as? String == kCMSampleBufferDroppedFrameReason_FrameWasLate)
        }
        #expect(other.dropped.count < dropped.count)
    }

    @Test("A delegate that is set before late frames are kept keeps them as well") func lateFramesLater() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord(isBlocked: true))
        output.setSampleBufferDelegate(record, queue: record.queue)
        output.alwaysDiscardsLateVideoFrames = false
        let (watcher, watch) = (AVCaptureVideoDataOutput(), SampleRecord())
        watcher.setSampleBufferDelegate(watch, queue: watch.queue)
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        session.addOutput(watcher)
        await run { [session] in session.startRunning() }
        #expect(await becomes { watch.delivered.count >= 8 && record.delivered.count == 1 })
        record.release()
        #expect(await becomes { record.delivered.count >= 6 })
        await run { [session] in session.stopRunning() }
        // One is with the delegate, and 16 wait; on a busy machine, more may have come before the release.
        #expect(record.dropped.count <= max(0, watch.delivered.count - 17))
    }

    @Test("A delegate stops its session, which does not wait for it") func stopInCallback() async throws {
        /// Stops the session with the first frame.
        final class Stopper: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
            private let session: AVCaptureSession
            let hasStopped = Lock(false)

            init(_ session: AVCaptureSession) {
                self.session = session
            }

            func captureOutput(
                _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
            ) {
                session.stopRunning()
                hasStopped.withLock { $0 = true }
            }
        }
        let (output, stopper) = (AVCaptureVideoDataOutput(), Stopper(session))
        let events = EventRecord(session.session)
        output.setSampleBufferDelegate(stopper, queue: DispatchQueue(label: "frames"))
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        await run { [session] in session.startRunning() }
        #expect(await becomes { stopper.hasStopped.withLock { $0 } })
        #expect(!session.isRunning)
        #expect(await becomes { events.all.last == "stopped" })
        #expect(events.all == ["started", "stopped"], "\(events.all)")
    }

    @Test("A camera is switched while the session runs, within one configuration") func switching() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord(keeps: false))
        output.setSampleBufferDelegate(record, queue: record.queue)
        let input = try AVCaptureDeviceInput(device: front)
        let other = try AVCaptureDeviceInput(device: back[0])
        session.addInput(input)
        session.addOutput(output)
        await run { [session] in session.startRunning() }
        let width = { record.delivered.last.flatMap { $0.buffer.imageBuffer }.map(CVPixelBufferGetWidth) }
        #expect(await becomes { width() == TestCameras.front.width })
        await run { [session] in
            session.beginConfiguration()
            session.removeInput(input)
            session.addInput(other)
            session.commitConfiguration()
        }
        #expect(session.inputs == [other] && session.isRunning)
        #expect(await becomes { width() == TestCameras.back.width })
        await run { [session] in session.stopRunning() }
    }

    @Test(
        "A connection rotates and mirrors",
        arguments: [
            (AVCaptureVideoOrientation.portrait, 90, false), (.landscapeLeft, 180, true),
            (.portraitUpsideDown, 270, false),
            (.landscapeRight, 0, true),
        ])
    func connection(orientation: AVCaptureVideoOrientation, angle: Int, isTurned: Bool) async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        let connection = try #require(output.connection(with: .video))
        #expect(connection.isVideoOrientationSupported && connection.isVideoMirroringSupported)
        #expect(connection.videoOrientation == .portrait && connection.videoRotationAngle == 90)
        connection.videoOrientation = orientation
        #expect(connection.videoRotationAngle == CGFloat(angle))
        connection.videoOrientation = .portrait
        #expect(connection.isVideoRotationAngleSupported(CGFloat(angle)))
        #expect(!connection.isVideoRotationAngleSupported(45))
        connection.videoRotationAngle = CGFloat(angle)
        connection.videoRotationAngle = 45
        #expect(connection.videoOrientation == orientation)
        await run { [session] in session.startRunning() }
        #expect(await becomes { !record.delivered.isEmpty })
        await run { [session] in session.stopRunning() }
        let pixels = try #require(record.delivered.first?.buffer.imageBuffer)
        #expect(CVPixelBufferGetWidth(pixels) == (isTurned ? 480 : 640))
        #expect(CVPixelBufferGetHeight(pixels) == (isTurned ? 640 : 480))
    }

    @Test("The settings of an output are its format and its size; others change nothing") func settings() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        let type = { output.videoSettings[kCVPixelBufferPixelFormatTypeKey] as? NSNumber }
        #expect(type()?.uint32Value == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        output.videoSettings = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 64,
            kCVPixelBufferHeightKey: 48,
        ]
        #expect(type()?.uint32Value == kCVPixelFormatType_32BGRA)
        for wrong: [String: Any] in [
            [kCVPixelBufferPixelFormatTypeKey: 1], [kCVPixelBufferPixelFormatTypeKey: "BGRA"],
            [kCVPixelBufferWidthKey: 64], [kCVPixelBufferWidthKey: 0, kCVPixelBufferHeightKey: 1],
        ] {
            output.videoSettings = wrong
            #expect(type()?.uint32Value == kCVPixelFormatType_32BGRA, "\(wrong)")
        }
        await run { [session] in session.startRunning() }
        #expect(await becomes { !record.delivered.isEmpty })
        await run { [session] in session.stopRunning() }
        let pixels = try #require(record.delivered.first?.buffer.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetWidth(pixels) == 64 && !CVPixelBufferIsPlanar(pixels))
        output.videoSettings = nil
        #expect(type()?.uint32Value == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    @Test("Sound comes with its format, and a connection has its levels and its volume") func sound() async throws {
        let (output, record) = (AVCaptureAudioDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio))))
        session.addOutput(output)
        await run { [session] in session.startRunning() }
        let connection = try #require(output.connection(with: .audio))
        // A sine of -6 dBFS.
        #expect(await becomes { connection.audioChannels.first.map { abs($0.averagePowerLevel + 9) < 0.5 } ?? false })
        #expect(connection.audioChannels.allSatisfy { $0.volume == 1 && $0.isEnabled })
        connection.audioChannels.forEach { $0.isEnabled = false }
        #expect(await becomes { connection.audioChannels.first.map { $0.averagePowerLevel < -100 } ?? false })
        await run { [session] in session.stopRunning() }
        let sample = try #require(record.delivered.first).buffer
        let format = try #require(sample.formatDescription)
        #expect(format.mediaType == .audio && sample.numSamples > 0 && sample.imageBuffer == nil)
        #expect(!connection.isVideoOrientationSupported)
    }

    @Test("Start, stop and errors are posted as notifications") func notifications() async throws {
        let names = Lock<[Notification.Name]>([])
        let observers = [
            Notification.Name.AVCaptureSessionDidStartRunning, .AVCaptureSessionDidStopRunning,
            .AVCaptureSessionRuntimeError,
        ].map { name in
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { posted in
                names.withLock { $0.append(posted.name) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        let formats = [640, 320].map { VideoFormat(pixelFormat: .i420, width: $0, height: $0 * 3 / 4) }
        let picture = try PixelBuffer(format: .i420, width: 640, height: 480)
        let camera = CaptureDevice(
            driver: ReplayDriver(formats: formats, script: ReplayEvent.frames(1000, of: picture, at: FrameRate(30))))
        session.addInput(try AVCaptureDeviceInput(device: AVCaptureDevice.of(camera)))
        session.addOutput(AVCaptureVideoDataOutput())
        await run { [session] in session.startRunning() }
        #expect(await becomes { names.withLock { $0.last } == .AVCaptureSessionDidStartRunning })
        // The camera has no such mode: the change fails, and the former preset remains.
        await run { [session] in session.sessionPreset = .hd4K3840x2160 }
        #expect(names.withLock { $0.last } == .AVCaptureSessionRuntimeError)
        #expect(session.sessionPreset == .high && session.isRunning)
        await run { [session] in session.stopRunning() }
        #expect(await becomes { names.withLock { $0.last } == .AVCaptureSessionDidStopRunning })
        #expect(!session.isInterrupted)
    }
}
