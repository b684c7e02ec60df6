// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// The documented behavior of `AVCaptureSession`, of its inputs and of its data outputs.
@Suite("AVCaptureSession") struct CaptureSessionTests {
    let session = AVCaptureSession()
    let back: [AVCaptureDevice]
    let front: AVCaptureDevice

    init() throws {
        TestCameras.prepare
        func cameras(_ position: AVCaptureDevice.Position) -> [AVCaptureDevice] {
            AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: position
            ).devices
        }
        back = cameras(.back)
        front = try #require(cameras(.front).first)
    }

    func run(_ body: @escaping @Sendable () -> Void) async { await onThread(body) }

    // MARK: Devices

    @Test("A search finds the devices of a position, each as the same object") func discovery() {
        #expect(back.count == 2 && back.allSatisfy { $0.position == .back && $0.hasMediaType(.video) })
        #expect(front.position == .front && front.deviceType == .builtInWideAngleCamera)
        let all = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
        ).devices
        #expect(all == [front] + back && all.first === front)
        #expect(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front) === front)
        #expect(AVCaptureDevice.default(for: .video) === front)
        #expect(AVCaptureDevice.default(.external, for: .video, position: .front) == nil)
        #expect(AVCaptureDevice.default(for: .audio)?.hasMediaType(.audio) == true)
        #expect(AVCaptureDevice.devices(for: .audio).count == 1)
        let devices = AVCaptureDevice.devices()
        #expect(devices.filter { $0.hasMediaType(.video) } == AVCaptureDevice.devices(for: .video))
        #expect(devices.filter { $0.hasMediaType(.audio) } == AVCaptureDevice.devices(for: .audio))
    }

    @Test("A device supports the presets that its session could have") func devicePresets() throws {
        let microphone = try #require(AVCaptureDevice.default(for: .audio))
        #expect(front.supportsSessionPreset(.vga640x480) && !front.supportsSessionPreset(.hd1280x720))
        #expect(front.supportsSessionPreset(.high) && microphone.supportsSessionPreset(.hd1280x720))
        #expect(!front.supportsSessionPreset(AVCaptureSession.Preset(rawValue: "odd")))
        session.addInput(try AVCaptureDeviceInput(device: microphone))
        #expect(session.canSetSessionPreset(.hd1280x720))
        session.addInput(try AVCaptureDeviceInput(device: front))
        #expect(session.canSetSessionPreset(.vga640x480) && !session.canSetSessionPreset(.hd1280x720))
        #expect(session.masterClock === session.synchronizationClock)
    }

    @Test("A source that needs no permission is authorized, and a request is answered")
    func authorization() async {
        #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
        #expect(await AVCaptureDevice.requestAccess(for: .video))
        let answer = Lock<Bool?>(nil)
        AVCaptureDevice.requestAccess(for: .audio) { granted in answer.withLock { $0 = granted } }
        #expect(await becomes { answer.withLock { $0 } == true })
    }

    @Test("A camera without controls has no focus, and setting it changes nothing") func focus() throws {
        try front.lockForConfiguration()
        #expect(!front.isFocusModeSupported(.continuousAutoFocus) && !front.hasTorch)
        front.focusMode = .continuousAutoFocus
        #expect(front.focusMode == .locked)
        front.unlockForConfiguration()
    }

    // MARK: Configuration

    @Test("An input is added once, and a second camera not at all") func inputs() throws {
        let input = try AVCaptureDeviceInput(device: front)
        #expect(session.canAddInput(input))
        session.addInput(input)
        #expect(session.inputs == [input] && !session.canAddInput(input))
        #expect(!session.canAddInput(try AVCaptureDeviceInput(device: front)))
        let other = try AVCaptureDeviceInput(device: back[0])
        #expect(!session.canAddInput(other))
        session.addInput(other)
        #expect(session.inputs == [input])
        let microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
        #expect(session.canAddInput(microphone))
        session.removeInput(input)
        #expect(session.inputs.isEmpty && session.canAddInput(other))
    }

    @Test("An output is in one session only, and has a connection while there is an input for it") func outputs() throws
    {
        let output = AVCaptureVideoDataOutput()
        #expect(output.connection(with: .video) == nil && output.connections.isEmpty)
        session.addOutput(output)
        #expect(!session.canAddOutput(output) && !AVCaptureSession().canAddOutput(output))
        #expect(output.connection(with: .video) == nil)
        let input = try AVCaptureDeviceInput(device: front)
        session.addInput(input)
        let connection = try #require(output.connection(with: .video))
        #expect(connection === output.connection(with: .video) && session.connections == [connection])
        #expect(connection.output === output && connection.isActive)
        #expect(output.connection(with: .audio) == nil)
        session.removeInput(input)
        #expect(output.connection(with: .video) == nil)
        session.removeOutput(output)
        #expect(session.outputs.isEmpty && AVCaptureSession().canAddOutput(output))
    }

    @Test("Changes between begin and commit take effect together, also if they are nested") func configuration() throws
    {
        let output = AVCaptureVideoDataOutput()
        session.beginConfiguration()
        session.beginConfiguration()
        session.addInput(try AVCaptureDeviceInput(device: front))
        session.addOutput(output)
        session.commitConfiguration()
        // A connection exists at once, so that it can be set up with the rest.
        let connection = try #require(output.connection(with: .video))
        connection.isVideoMirrored = true
        #expect(session.session.inputs.isEmpty, "one configuration is still open")
        session.startRunning()
        #expect(!session.isRunning, "one configuration is still open")
        session.commitConfiguration()
        #expect(session.session.inputs.count == 1 && session.session.outputs.count == 1)
        #expect(output.connection(with: .video) === connection && connection.isVideoMirrored)
        // All are removed and added again, as many apps do.
        session.beginConfiguration()
        for input in session.inputs { session.removeInput(input) }
        for output in session.outputs { session.removeOutput(output) }
        #expect(output.connection(with: .video) == nil)
        session.addInput(try AVCaptureDeviceInput(device: back[0]))
        #expect(session.canAddOutput(output))
        session.addOutput(output)
        session.commitConfiguration()
        #expect(session.session.outputs.count == 1 && output.connection(with: .video) != nil)
        // One more has no effect.
        session.commitConfiguration()
        session.sessionPreset = .medium
        #expect(session.sessionPreset == .medium)
    }

    @Test("A change that fails leaves everything as it was") func failedChange() throws {
        let (output, input) = (AVCaptureVideoDataOutput(), try AVCaptureDeviceInput(device: front))
        session.addInput(input)
        session.addOutput(output)
        let formats = [640, 320].map { VideoFormat(pixelFormat: .i420, width: $0, height: $0 * 3 / 4) }
        let picture = try PixelBuffer(format: .i420, width: 640, height: 480)
        let camera = CaptureDevice(
            driver: ReplayDriver(formats: formats, script: ReplayEvent.frames(10, of: picture, at: FrameRate(30))))
        session.beginConfiguration()
        session.removeInput(input)
        session.addInput(try AVCaptureDeviceInput(device: AVCaptureDevice.of(camera)))
        // The camera has no such mode.
        session.sessionPreset = .hd4K3840x2160
        session.commitConfiguration()
        #expect(session.inputs == [input] && session.outputs == [output] && session.sessionPreset == .high)
        #expect(session.session.inputs == [input.input] && output.connection(with: .video) != nil)
    }

    @Test("Many threads change a session: at the end it has what was added last") func manyThreads() async throws {
        let outputs = (0..<16).map { _ in AVCaptureVideoDataOutput() }
        session.addInput(try AVCaptureDeviceInput(device: front))
        let ended = onThreads(8) { [session] number in
            session.addOutput(outputs[2 * number])
            session.addOutput(outputs[2 * number + 1])
            session.removeOutput(outputs[2 * number])
        }
        #expect(ended)
        #expect(Set(session.outputs.map(ObjectIdentifier.init)).count == 8)
        #expect(session.session.outputs.count == 8)
        for output in session.outputs { #expect(session.session.outputs.contains { $0 === output.output }) }
    }

    @Test("A preset with a size is possible if the camera has it") func presets() throws {
        session.addInput(try AVCaptureDeviceInput(device: front))
        #expect(session.sessionPreset == .high)
        #expect(session.canSetSessionPreset(.vga640x480) && session.canSetSessionPreset(.photo))
        #expect(!session.canSetSessionPreset(.hd4K3840x2160))
        let unknown = AVCaptureSession.Preset(rawValue: "unknown")
        #expect(!session.canSetSessionPreset(unknown))
        session.sessionPreset = unknown
        #expect(session.sessionPreset == .high)
    }
}
