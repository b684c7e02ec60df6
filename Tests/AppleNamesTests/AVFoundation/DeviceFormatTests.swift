// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

@testable import AVFoundation

/// The documented behavior of the formats of `AVCaptureDevice`.
@Suite("AVCaptureDevice.Format") struct DeviceFormatTests {
    /// A camera with two sizes and two pixel formats.
    let device: AVCaptureDevice
    let session = AVCaptureSession()
    let input: AVCaptureDeviceInput

    private static let modes = [
        mode(.yuyv, 640, 480, 30), mode(.yuyv, 640, 480, 15), mode(.yuyv, 320, 240, 30), mode(.mjpeg, 640, 480, 60),
        mode(.yuyv, 320, 240, 120), mode(.yuyv, 320, 240, 60),
    ]

    private static func mode(_ format: PixelFormat, _ width: Int, _ height: Int, _ rate: Int32) -> VideoFormat {
        VideoFormat(pixelFormat: format, width: width, height: height, frameRate: FrameRate(rate))
    }

    init() throws {
        let picture = try PixelBuffer(format: .yuyv, width: 640, height: 480)
        // Each test has a camera of its own.
        let driver = ReplayDriver(
            name: UUID().uuidString, formats: Self.modes, script: ReplayEvent.frames(10, of: picture, at: FrameRate(30))
        )
        device = AVCaptureDevice.of(CaptureDevice(driver: driver))
        input = try AVCaptureDeviceInput(device: device)
    }

    /// The mode in which the session would run the camera.
    private func planned() -> VideoFormat? { session.mode(of: device) }

    /// The width of the last frame.
    private func width(_ record: SampleRecord) -> Int? {
        record.delivered.last.flatMap { CMSampleBufferGetImageBuffer($0.buffer) }.map(CVPixelBufferGetWidth)
    }

    private func duration(_ rate: Int32) -> CMTime { CMTime(value: 1, timescale: rate) }

    @Test("A format has a size, a pixel format and all frame rates for them") func formats() throws {
        let formats = device.formats
        let sizes = formats.map { CMVideoFormatDescriptionGetDimensions($0.formatDescription) }
        #expect(sizes.map(\.width) == [640, 320, 640] && sizes.map(\.height) == [480, 240, 480])
        let types = formats.map { CMFormatDescriptionGetMediaSubType($0.formatDescription) }
        #expect(types == [kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8_yuvs, 0x6A70_6567])
        let rates = formats.map { $0.videoSupportedFrameRateRanges.map(\.maxFrameRate) }
        #expect(rates == [[30, 15], [30, 120, 60], [60]])
        #expect(formats[0].videoSupportedFrameRateRanges[1].minFrameDuration == duration(15))
        #expect(formats == device.formats && formats[0] != formats[2] && formats[0].mediaType == .video)
        #expect(Set(formats).count == 3)
        TestCameras.prepare
        #expect(try #require(AVCaptureDevice.default(for: .audio)).formats.isEmpty)
    }

    @Test("The preset selects the active format until the program does, which ends the preset") func activeFormat() {
        session.addInput(input)
        #expect(session.sessionPreset == .high && device.activeFormat == device.formats[0])
        session.sessionPreset = .low
        #expect(device.activeFormat == device.formats[1] && device.activeVideoMinFrameDuration == duration(30))
        device.activeFormat = device.formats[1]
        #expect(session.sessionPreset == .inputPriority && device.activeFormat == device.formats[1])
        // The highest rate of the format.
        #expect(planned() == Self.modes[4] && device.activeVideoMinFrameDuration == duration(120))
        session.sessionPreset = .high
        #expect(device.activeFormat == device.formats[0] && planned() == Self.modes[0])
    }

    @Test("A format of another camera changes nothing") func foreignFormat() throws {
        session.addInput(input)
        device.activeFormat = AVCaptureDevice.of(try CaptureDevice.named("pattern")).formats[0]
        #expect(
            session.sessionPreset == .high && device.activeFormat == device.formats[0] && planned() == Self.modes[0])
    }

    @Test("A format that is set before the input is added is used with inputPriority, and not with another preset")
    func formatBeforeInput() {
        device.activeFormat = device.formats[1]
        #expect(device.activeFormat == device.formats[1])
        session.sessionPreset = .inputPriority
        session.addInput(input)
        #expect(planned() == Self.modes[4])
        session.removeInput(input)
        session.sessionPreset = .high
        #expect(device.activeFormat == device.formats[1])
        session.addInput(input)
        #expect(planned() == Self.modes[0] && device.activeFormat == device.formats[0])
    }

    @Test("Frame durations select a frame rate of the active format, in either order") func durations() {
        session.addInput(input)
        #expect(
            device.activeVideoMinFrameDuration == duration(30) && device.activeVideoMaxFrameDuration == duration(30))
        device.activeVideoMinFrameDuration = duration(15)
        device.activeVideoMaxFrameDuration = duration(15)
        #expect(planned() == Self.modes[1] && session.sessionPreset == .high)
        #expect(
            device.activeVideoMinFrameDuration == duration(15) && device.activeVideoMaxFrameDuration == duration(15))
        device.activeVideoMaxFrameDuration = duration(30)
        device.activeVideoMinFrameDuration = duration(30)
        #expect(planned() == Self.modes[0])
        device.activeVideoMinFrameDuration = CMTime(value: 2, timescale: 30)
        #expect(planned() == Self.modes[1])
        device.activeVideoMinFrameDuration = .invalid
        #expect(planned() == Self.modes[0])
        // Not one of the format.
        device.activeVideoMinFrameDuration = duration(60)
        device.activeVideoMaxFrameDuration = .positiveInfinity
        #expect(planned() == Self.modes[0])
        device.activeFormat = device.formats[1]
        device.activeVideoMaxFrameDuration = duration(60)
        #expect(planned() == Self.modes[4], "the highest rate that is allowed")
        #expect(device.activeVideoMaxFrameDuration == duration(60))
        device.activeVideoMinFrameDuration = duration(60)
        #expect(planned() == Self.modes[5])
    }

    @Test("A duration that is set before the input is added is used with inputPriority") func durationBeforeInput() {
        device.activeVideoMinFrameDuration = duration(15)
        #expect(device.activeVideoMinFrameDuration == duration(15))
        session.sessionPreset = .inputPriority
        session.addInput(input)
        #expect(planned() == Self.modes[1])
    }

    @Test("The preset inputPriority keeps the format that another one has selected") func inputPriority() {
        session.addInput(input)
        session.sessionPreset = .low
        session.sessionPreset = .inputPriority
        #expect(planned() == Self.modes[2] && device.activeFormat == device.formats[1])
    }

    @Test("A change that fails leaves the format, and the camera in its session") func failedChange() throws {
        session.addInput(input)
        device.activeFormat = device.formats[2]
        session.sessionPreset = .hd4K3840x2160
        #expect(session.sessionPreset == .inputPriority && planned() == Self.modes[3])
        device.activeVideoMinFrameDuration = .invalid
        #expect(device.activeFormat == device.formats[2] && planned() == Self.modes[3])
        session.sessionPreset = .vga640x480
        #expect(planned() == Self.modes[0])
        let picture = try PixelBuffer(format: .yuyv, width: 320, height: 240)
        let small = ReplayDriver(
            name: UUID().uuidString, formats: [Self.mode(.yuyv, 320, 240, 30), Self.mode(.yuyv, 160, 120, 30)],
            script: ReplayEvent.frames(10, of: picture, at: FrameRate(30)))
        let other = AVCaptureDevice.of(CaptureDevice(driver: small))
        session.beginConfiguration()
        session.removeInput(input)
        session.addInput(try AVCaptureDeviceInput(device: other))
        session.commitConfiguration()
        #expect(session.inputs == [input] && session.sessionPreset == .vga640x480)
        other.activeFormat = other.formats[1]
        #expect(session.sessionPreset == .vga640x480, "it is not in the session")
        device.activeFormat = device.formats[1]
        #expect(planned() == Self.modes[4] && session.sessionPreset == .inputPriority)
    }

    @Test("Format and duration between begin and commit take effect with the rest") func configuration() {
        session.beginConfiguration()
        session.addInput(input)
        device.activeFormat = device.formats[1]
        device.activeVideoMinFrameDuration = duration(30)
        #expect(session.sessionPreset == .inputPriority && session.session.inputs.isEmpty)
        session.commitConfiguration()
        #expect(planned() == Self.modes[2])
    }

    @Test("A running camera changes its format at once") func running() async throws {
        let camera = AVCaptureDevice.of(
            CaptureDevice(driver: PatternDriver(name: UUID().uuidString)))
        let input = try AVCaptureDeviceInput(device: camera)
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord(keeps: false))
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(input)
        session.addOutput(output)
        await onThread { session.startRunning() }
        #expect(await becomes { width(record) == 1280 })
        let small = try #require(camera.formats.last)
        await onThread { camera.activeFormat = small }
        #expect(await becomes { width(record) == 320 })
        #expect(session.session.activeFormat(of: input.input)?.frameRate == FrameRate(60))
        await onThread { camera.activeVideoMinFrameDuration = duration(30) }
        #expect(session.session.activeFormat(of: input.input)?.frameRate == FrameRate(30))
        await onThread { session.stopRunning() }
    }

    @Test("Mirroring follows the position of the camera, if the program asks for it") func mirroring() throws {
        TestCameras.prepare
        let front = try #require(
            AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
        let back = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        let (output, first) = (AVCaptureVideoDataOutput(), try AVCaptureDeviceInput(device: front))
        session.addInput(first)
        session.addOutput(output)
        let connection = try #require(output.connection(with: .video))
        #expect(!connection.automaticallyAdjustsVideoMirroring && !connection.isVideoMirrored)
        connection.automaticallyAdjustsVideoMirroring = true
        #expect(connection.isVideoMirrored)
        connection.isVideoMirrored = false
        #expect(connection.isVideoMirrored, "the session decides")
        session.beginConfiguration()
        session.removeInput(first)
        session.addInput(try AVCaptureDeviceInput(device: back))
        session.commitConfiguration()
        #expect(!connection.isVideoMirrored)
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = true
        #expect(connection.isVideoMirrored)
    }
}
