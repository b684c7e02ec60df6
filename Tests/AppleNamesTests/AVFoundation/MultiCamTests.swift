// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The documented behavior of `AVCaptureMultiCamSession` and of connections that a program makes.
@Suite("AVCaptureMultiCamSession") struct MultiCamTests {
    let session = AVCaptureMultiCamSession()
    let front: AVCaptureDeviceInput
    let back: AVCaptureDeviceInput

    init() throws {
        TestCameras.prepare
        func input(_ position: AVCaptureDevice.Position) throws -> AVCaptureDeviceInput {
            try AVCaptureDeviceInput(
                device: try #require(
                    AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)))
        }
        (front, back) = (try input(.front), try input(.back))
    }

    private func port(_ input: AVCaptureDeviceInput) throws -> AVCaptureInput.Port {
        try #require(
            input.ports(
                for: .video, sourceDeviceType: .builtInWideAngleCamera, sourceDevicePosition: input.device.position
            ).first)
    }

    private func width(_ record: SampleRecord) -> Int? {
        record.delivered.last?.buffer.imageBuffer.map(CVPixelBufferGetWidth)
    }

    @Test("An input has a port for each of its media types") func ports() throws {
        let port = try port(front)
        #expect(port.input === front && port.mediaType == .video && front.ports == [port])
        #expect(port.sourceDevicePosition == .front && port.sourceDeviceType == .builtInWideAngleCamera)
        #expect(port.formatDescription?.dimensions == CMVideoDimensions(width: 640, height: 480))
        #expect(front.ports(for: .audio, sourceDeviceType: nil, sourceDevicePosition: .unspecified).isEmpty)
        #expect(front.ports(for: nil, sourceDeviceType: nil, sourceDevicePosition: .back).isEmpty)
        let microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
        #expect(microphone.ports.map(\.mediaType) == [.audio] && microphone.ports[0].formatDescription == nil)
    }

    @Test("Two cameras run at once, each with the output to which it is connected") func twoCameras() async throws {
        #expect(AVCaptureMultiCamSession.isMultiCamSupported)
        #expect(front.device.formats.allSatisfy { $0.isMultiCamSupported })
        let (one, other) = (AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput())
        let (first, second) = (SampleRecord(keeps: false), SampleRecord(keeps: false))
        one.setSampleBufferDelegate(first, queue: first.queue)
        other.setSampleBufferDelegate(second, queue: second.queue)
        session.beginConfiguration()
        for input in [front, back] {
            #expect(session.canAddInput(input))
            session.addInputWithNoConnections(input)
        }
        for output in [one, other] { session.addOutputWithNoConnections(output) }
        #expect(one.connections.isEmpty && session.connections.isEmpty)
        let (frontConnection, backConnection) = (
            AVCaptureConnection(inputPorts: [try port(front)], output: one),
            AVCaptureConnection(inputPorts: [try port(back)], output: other)
        )
        for connection in [frontConnection, backConnection] {
            #expect(session.canAddConnection(connection))
            session.addConnection(connection)
            #expect(!session.canAddConnection(connection), "it is there")
        }
        session.commitConfiguration()
        #expect(one.connection(with: .video) === frontConnection && frontConnection.output === one)
        #expect(backConnection.inputPorts == [try port(back)])
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { width(first) == 640 && width(second) == 320 })
        // The second output shows the other camera from now on.
        await onThread { [session, backConnection, other, front] in
            session.beginConfiguration()
            session.removeConnection(backConnection)
            session.addConnection(AVCaptureConnection(inputPorts: [front.ports[0]], output: other))
            session.commitConfiguration()
        }
        #expect(await becomes { width(second) == 640 })
        await onThread { [session] in session.stopRunning() }
    }

    @Test("An output that is not connected receives nothing, until it is") func unconnected() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        let (watcher, watch) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        watcher.setSampleBufferDelegate(watch, queue: watch.queue)
        session.addInput(back)
        session.addOutputWithNoConnections(output)
        session.addOutput(watcher)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { watch.delivered.count >= 3 })
        #expect(record.delivered.isEmpty)
        let connection = AVCaptureConnection(inputPorts: [try port(back)], output: output)
        await onThread { [session] in session.addConnection(connection) }
        #expect(await becomes { record.delivered.count >= 3 })
        #expect(record.delivered.allSatisfy { $0.connection === connection })
        await onThread { [session] in session.removeConnection(connection) }
        await onThread { [session] in session.stopRunning() }
        // Removed and added as usual, it is connected again.
        session.removeOutput(output)
        session.addOutput(output)
        #expect(output.connection(with: .video)?.isEnabled == true)
    }

    @Test("A connection that is removed stays so, and the others follow a switch of the camera") func removed() throws {
        let microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
        let output = AVCaptureMovieFileOutput()
        session.addInput(front)
        session.addInput(microphone)
        session.addOutput(output)
        let sound = try #require(output.connection(with: .audio))
        session.removeConnection(sound)
        #expect(output.connections.count == 1 && output.connection(with: .audio) == nil)
        session.beginConfiguration()
        session.removeInput(front)
        session.addInput(back)
        session.commitConfiguration()
        #expect(output.connection(with: .video)?.inputPorts == back.ports && output.connection(with: .audio) == nil)
        let again = AVCaptureConnection(inputPorts: microphone.ports, output: output)
        #expect(session.canAddConnection(again))
        session.addConnection(again)
        #expect(output.connection(with: .audio) === again && again.isEnabled && again.isActive)
    }

    @Test("A connection that the program has disabled stays so when it is added") func disabled() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), SampleRecord())
        let (watcher, watch) = (AVCaptureVideoDataOutput(), SampleRecord())
        output.setSampleBufferDelegate(record, queue: record.queue)
        watcher.setSampleBufferDelegate(watch, queue: watch.queue)
        session.addInput(back)
        session.addOutputWithNoConnections(output)
        session.addOutput(watcher)
        let connection = AVCaptureConnection(inputPorts: [try port(back)], output: output)
        connection.isEnabled = false
        session.addConnection(connection)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { watch.delivered.count >= 3 })
        #expect(record.delivered.isEmpty && !connection.isActive)
        connection.isEnabled = true
        #expect(await becomes { !record.delivered.isEmpty })
        await onThread { [session] in session.stopRunning() }
    }

    @Test("A connection needs an input and an output of the session, and a media type that both have") func refused()
        throws
    {
        let output = AVCaptureVideoDataOutput()
        let connection = AVCaptureConnection(inputPorts: [try port(front)], output: output)
        #expect(!session.canAddConnection(connection), "neither is in the session")
        session.addOutputWithNoConnections(output)
        #expect(!session.canAddConnection(connection), "the input is not in the session")
        session.addInputWithNoConnections(front)
        #expect(session.canAddConnection(connection))
        let microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
        session.addInputWithNoConnections(microphone)
        #expect(!session.canAddConnection(AVCaptureConnection(inputPorts: microphone.ports, output: output)))
        #expect(!session.canAddConnection(AVCaptureConnection(inputPorts: [], output: output)))
        let usual = AVCaptureVideoDataOutput()
        session.addOutput(usual)
        #expect(!session.canAddConnection(AVCaptureConnection(inputPorts: [try port(front)], output: usual)))
        session.addConnection(connection)
        session.removeInput(front)
        #expect(output.connections.isEmpty)
    }

    @Test("Each preview layer shows the camera to which it is connected") func layers() async throws {
        let (one, other) = (
            AVCaptureVideoPreviewLayer(sessionWithNoConnection: session), AVCaptureVideoPreviewLayer()
        )
        other.setSessionWithNoConnection(session)
        session.addInputWithNoConnections(front)
        session.addInputWithNoConnections(back)
        session.addConnection(AVCaptureConnection(inputPort: try port(front), videoPreviewLayer: one))
        session.addConnection(AVCaptureConnection(inputPort: try port(back), videoPreviewLayer: other))
        await onThread { [session] in session.startRunning() }
        #expect(session.connections.map(\.videoPreviewLayer) == [one, other])
        func width(_ layer: CALayer) -> Int? { (layer.contents as? CGImage)?.width }
        #expect(await becomes { width(one) == 640 && width(other) == 320 })
        #expect(one.connection?.isVideoMirrored == true && other.connection?.isVideoMirrored == false)
        await onThread { [session] in session.stopRunning() }
    }

    @Test("A session of one camera takes no second one") func single() throws {
        let session = AVCaptureSession()
        session.addInput(front)
        #expect(!session.canAddInput(back))
    }
}
