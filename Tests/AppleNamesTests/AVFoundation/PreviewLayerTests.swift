// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import CoreImage
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The documented behavior of `AVCaptureVideoPreviewLayer` and `AVSampleBufferDisplayLayer`.
@Suite("Preview layers") struct PreviewLayerTests {
    /// Counts the calls on the main queue.
    private final class Drawing: NSObject, CALayerDelegate {
        private let count = Lock(0)
        var calls: Int { count.withLock { $0 } }

        func display(_ layer: CALayer) {
            dispatchPrecondition(condition: .onQueue(.main))
            count.withLock { $0 += 1 }
        }
    }

    let session = AVCaptureSession()
    let front: AVCaptureDevice

    init() throws {
        TestCameras.prepare
        front = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
    }

    private func size(_ layer: CALayer) -> CGSize? {
        (layer.contents as? CGImage).map { CGSize(width: $0.width, height: $0.height) }
    }

    @Test("A layer shows the newest picture in its size, and tells its delegate on the main queue") func pictures()
        async throws
    {
        let (layer, drawing) = (AVCaptureVideoPreviewLayer(session: session), Drawing())
        layer.frame = CGRect(x: 10, y: 10, width: 100, height: 100)
        layer.contentsScale = 2
        layer.delegate = drawing
        session.addInput(try AVCaptureDeviceInput(device: front))
        #expect(layer.session === session && session.outputs.isEmpty && session.connections.count == 1)
        #expect(layer.contents == nil && !layer.isPreviewing && layer.videoGravity == .resizeAspect)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { drawing.calls >= 3 })
        #expect(layer.isPreviewing && size(layer) == CGSize(width: 200, height: 150))
        layer.videoGravity = .resizeAspectFill
        #expect(await becomes { size(layer) == CGSize(width: 200, height: 200) })
        layer.bounds = CGRect(x: 0, y: 0, width: 40, height: 20)
        layer.videoGravity = .resize
        #expect(await becomes { size(layer) == CGSize(width: 80, height: 40) })
        #expect(layer.frame.origin == CGPoint(x: 10, y: 10))
        await onThread { [session] in session.stopRunning() }
        #expect(layer.contents != nil && !layer.isPreviewing, "the last picture stays")
        // The next start shows pictures again.
        layer.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { size(layer) == CGSize(width: 20, height: 20) })
        await onThread { [session] in session.stopRunning() }
    }

    @Test("A hidden layer gets no pictures") func hidden() async throws {
        let (layer, other) = (
            AVCaptureVideoPreviewLayer(session: session), AVCaptureVideoPreviewLayer(session: session)
        )
        layer.isHidden = true
        session.addInput(try AVCaptureDeviceInput(device: front))
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { other.contents != nil })
        #expect(layer.contents == nil && !layer.isPreviewing)
        layer.isHidden = false
        #expect(await becomes { layer.contents != nil })
        await onThread { [session] in session.stopRunning() }
    }

    @Test("A front camera is mirrored, unless the connection is set otherwise") func mirroring() throws {
        let layer = AVCaptureVideoPreviewLayer(session: session)
        #expect(layer.connection == nil)
        session.addInput(try AVCaptureDeviceInput(device: front))
        let connection = try #require(layer.connection)
        #expect(connection.automaticallyAdjustsVideoMirroring && connection.isVideoMirrored)
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = false
        #expect(!connection.isVideoMirrored)
    }

    @Test("Points and objects are converted with the size of the camera's picture") func points() throws {
        let layer = AVCaptureVideoPreviewLayer(session: session)
        layer.frame = CGRect(x: 0, y: 0, width: 640, height: 960)
        session.addInput(try AVCaptureDeviceInput(device: front))
        try #require(layer.connection).automaticallyAdjustsVideoMirroring = false
        try #require(layer.connection).isVideoMirrored = false
        // 640x480 in the middle.
        #expect(layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 320, y: 480)) == CGPoint(x: 0.5, y: 0.5))
        #expect(layer.layerPointConverted(fromCaptureDevicePoint: .zero) == CGPoint(x: 0, y: 240))
        let rect = CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        #expect(
            layer.layerRectConverted(fromMetadataOutputRect: rect) == CGRect(x: 160, y: 360, width: 320, height: 240))
        #expect(
            layer.metadataOutputRectConverted(fromLayerRect: CGRect(x: 160, y: 360, width: 320, height: 240)) == rect)
    }

    @Test("A layer that is released leaves its session") func released() async throws {
        session.addInput(try AVCaptureDeviceInput(device: front))
        do {
            let layer = AVCaptureVideoPreviewLayer(session: session)
            #expect(layer.connection != nil && session.session.outputs.count == 1)
        }
        #expect(await becomes { session.session.outputs.isEmpty })
    }

    // MARK: Samples

    @Test("A display layer shows a sample whose time has come, in the size of the layer") func samples() async throws {
        let (layer, drawing) = (AVSampleBufferDisplayLayer(), Drawing())
        layer.frame = CGRect(x: 0, y: 0, width: 32, height: 32)
        layer.delegate = drawing
        #expect(layer.isReadyForMoreMediaData && layer.status == .unknown && layer.contents == nil)
        layer.enqueue(try WritingMovies.frame(at: .zero))
        #expect(await becomes { layer.contents != nil && drawing.calls > 0 })
        #expect(layer.status == .rendering && layer.error == nil)
        #expect(size(layer).map { max($0.width, $0.height) } == 32)
        layer.flushAndRemoveImage()
        #expect(layer.contents == nil && layer.status == .unknown)
        // One without a time is shown at once as well.
        layer.enqueue(try WritingMovies.frame(at: .invalid))
        #expect(await becomes { layer.contents != nil })
    }

    @Test("Samples of the future wait, as many as the layer takes, and are discarded by a flush") func future() throws {
        let layer = AVSampleBufferDisplayLayer()
        let later = CMClock.hostTimeClock.time + CMTime(value: 3600, timescale: 1)
        for _ in 0..<15 { layer.enqueue(try WritingMovies.frame(at: later)) }
        #expect(layer.isReadyForMoreMediaData)
        layer.enqueue(try WritingMovies.frame(at: later))
        #expect(!layer.isReadyForMoreMediaData && layer.contents == nil)
        layer.flush()
        #expect(layer.isReadyForMoreMediaData && layer.contents == nil)
    }

    @Test("A sample that is due is shown also while earlier ones wait for the future") func order() async throws {
        let layer = AVSampleBufferDisplayLayer()
        layer.enqueue(try WritingMovies.frame(at: CMClock.hostTimeClock.time + CMTime(value: 3600, timescale: 1)))
        layer.enqueue(try WritingMovies.frame(at: .zero))
        #expect(await becomes { layer.contents != nil })
    }
}
