// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// The settings of the hardware by `AVCaptureDevice`.
@Suite("Controls of AVCaptureDevice") struct DeviceControlTests {
    /// A camera with some controls, which accept every valid value.
    private struct Camera: CaptureDriver, DeviceControls {
        private static let rows: [DeviceControl] = [
            DeviceControl(
                id: 1, identifier: .whiteBalanceAutomatic, name: "white_balance_automatic", title: "", kind: .boolean,
                defaultValue: 1, value: 1),
            DeviceControl(
                id: 2, identifier: .zoom, name: "zoom_absolute", title: "", kind: .integer(100...400, step: 1),
                defaultValue: 100, value: 100),
            DeviceControl(
                id: 3, identifier: .focusAutomatic, name: "focus_automatic_continuous", title: "", kind: .boolean,
                defaultValue: 1, value: 1),
            DeviceControl(
                id: 4, identifier: .lightMode, name: "led_mode", title: "",
                kind: .menu([.init(index: 0, title: "Off"), .init(index: 2, title: "Torch")]), defaultValue: 0, value: 0
            ),
            DeviceControl(
                id: 5, identifier: .torchIntensity, name: "intensity_torch_mode", title: "",
                kind: .integer(20...120, step: 20), defaultValue: 20, value: 20),
        ]

        private let pattern = PatternDriver(size: PixelSize(width: 640, height: 480))
        private let values = Lock<[UInt32: Int64]>([1: 1, 2: 100, 3: 1, 4: 0, 5: 20])
        let uniqueID = UUID().uuidString
        var localizedName: String { "camera with controls" }
        var formats: [VideoFormat] { pattern.formats }

        func makeRun(
            _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
        ) -> any CaptureRun {
            pattern.makeRun(request, sink: sink, clock: clock)
        }

        func openControls() throws(ObscuraError) -> any DeviceControls { self }

        func controls() throws(ObscuraError) -> [DeviceControl] {
            values.withLock { values in
                Self.rows.map { row in
                    DeviceControl(
                        id: row.id, identifier: row.identifier, name: row.name, title: row.title, kind: row.kind,
                        defaultValue: row.defaultValue, value: values[row.id])
                }
            }
        }

        func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
            values.withLock { $0[control.id] = value }
        }

        func value(_ id: UInt32) -> Int64? { values.withLock { $0[id] } }
    }

    private let camera = Camera()
    private let device: AVCaptureDevice

    init() {
        device = AVCaptureDevice.of(CaptureDevice(driver: camera))
    }

    @Test("White balance and focus have the modes of the camera") func modes() throws {
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        #expect(device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance))
        #expect(device.isWhiteBalanceModeSupported(.locked) && !device.isWhiteBalanceModeSupported(.autoWhiteBalance))
        #expect(device.whiteBalanceMode == .continuousAutoWhiteBalance)
        device.whiteBalanceMode = .locked
        #expect(device.whiteBalanceMode == .locked)
        device.whiteBalanceMode = .autoWhiteBalance
        #expect(device.whiteBalanceMode == .locked, "the camera does not have it")
        #expect(device.focusMode == .continuousAutoFocus)
        device.focusMode = .locked
        #expect(device.focusMode == .locked && device.whiteBalanceMode == .locked)
    }

    @Test("The zoom factor is relative to the widest angle; others than those of the lens change nothing")
    func zoom() throws {
        #expect(device.minAvailableVideoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 4)
        #expect(device.videoZoomFactor == 1)
        device.videoZoomFactor = 2.5
        #expect(device.videoZoomFactor == 2.5)
        device.videoZoomFactor = 5
        #expect(device.videoZoomFactor == 2.5)
        let pattern = AVCaptureDevice.of(try CaptureDevice.named("pattern"))
        #expect(pattern.maxAvailableVideoZoomFactor == 1 && pattern.videoZoomFactor == 1)
        #expect(!pattern.isWhiteBalanceModeSupported(.locked) && pattern.whiteBalanceMode == .locked)
    }

    @Test("A ramp ends at its zoom factor") func ramp() async throws {
        device.ramp(toVideoZoomFactor: 4, withRate: 100)
        #expect(await becomes { !device.isRampingVideoZoom })
        #expect(device.videoZoomFactor == 4)
        device.ramp(toVideoZoomFactor: 2, withRate: .infinity)
        #expect(await becomes { !device.isRampingVideoZoom })
        #expect(device.videoZoomFactor == 2 && device.displayVideoZoomFactorMultiplier == 1)
    }

    @Test("A ramp that is canceled, or whose camera is zoomed otherwise, sets no zoom factor any more")
    func canceledRamp() async throws {
        device.ramp(toVideoZoomFactor: 4, withRate: 0.5)
        #expect(device.isRampingVideoZoom)
        #expect(await becomes { device.videoZoomFactor > 1 })
        device.cancelVideoZoomRamp()
        #expect(!device.isRampingVideoZoom && device.videoZoomFactor < 4)
        device.ramp(toVideoZoomFactor: 1, withRate: 0.01)
        device.videoZoomFactor = 3
        #expect(!device.isRampingVideoZoom && device.videoZoomFactor == 3)
    }

    @Test("A ramp to a zoom factor that the lens does not have, or at no rate, changes nothing") func wrongRamp() {
        for (factor, rate) in [(5, 1), (0.5, 1), (2, 0), (2, -1), (.nan, 1), (2, .nan)] as [(CGFloat, Float)] {
            device.ramp(toVideoZoomFactor: factor, withRate: rate)
            #expect(!device.isRampingVideoZoom && device.videoZoomFactor == 1)
        }
    }

    @Test("The torch has its states, and the brightest level is that of the camera") func torch() throws {
        #expect(device.isTorchModeSupported(.on) && device.torchMode == .off)
        try device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
        #expect(device.torchMode == .on && camera.value(5) == 120)
        try device.setTorchModeOn(level: 0)
        #expect(device.torchMode == .on && camera.value(5) == 20)
        #expect(throws: ObscuraError.self) { try device.setTorchModeOn(level: 1.5) }
        device.torchMode = .off
        #expect(device.torchMode == .off)
    }

    @Test("Modes that no camera has are not supported, and setting them changes nothing") func unsupportedModes() {
        #expect(!device.isTorchModeSupported(.auto) && !device.isExposureModeSupported(.autoExpose))
        device.torchMode = .on
        device.torchMode = .auto
        #expect(device.torchMode == .on)
        device.exposureMode = .autoExpose
        #expect(device.exposureMode == .locked)
    }

    @Test("The times of frames are on the clock of the machine") func clock() async throws {
        let session = AVCaptureSession()
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord(keeps: false))
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        let clock = try #require(session.synchronizationClock)
        #expect(clock === CMClockGetHostTimeClock())
        let begin = CMClockGetTime(clock)
        await onThread { session.startRunning() }
        #expect(await becomes { !record.delivered.isEmpty })
        await onThread { session.stopRunning() }
        let time = try #require(record.delivered.last).buffer.presentationTimeStamp
        #expect(time >= begin && time <= clock.time)
    }

    @Test("The recommended settings are those of the frames") func recommendedSettings() throws {
        let (session, output) = (AVCaptureSession(), AVCaptureVideoDataOutput())
        session.addOutput(output)
        #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: .mp4) == nil)
        session.beginConfiguration()
        session.addInput(try AVCaptureDeviceInput(device: device))
        func size() -> [Int?] {
            let settings = output.recommendedVideoSettingsForAssetWriter(writingTo: .mp4)
            #expect(settings?[AVVideoCodecKey] as? AVVideoCodecType == .h264)
            return [settings?[AVVideoWidthKey] as? Int, settings?[AVVideoHeightKey] as? Int]
        }
        #expect(size() == [640, 480])
        session.commitConfiguration()
        #expect(size() == [640, 480])
        output.connection(with: .video)?.videoOrientation = .landscapeRight
        #expect(size() == [480, 640])
        output.videoSettings = [kCVPixelBufferWidthKey: 320, kCVPixelBufferHeightKey: 200]
        #expect(size() == [320, 200])
        #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: .m4a) == nil)
    }
}
