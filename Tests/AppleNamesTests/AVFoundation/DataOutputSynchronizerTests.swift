// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import TestSupport
import Testing

/// The documented behavior of `AVCaptureDataOutputSynchronizer`.
@Suite("AVCaptureDataOutputSynchronizer", .hangLimit) struct DataOutputSynchronizerTests {
    /// Keeps the collections that are complete.
    private final class Record: NSObject, AVCaptureDataOutputSynchronizerDelegate {
        struct Call: Sendable {
            let collection: AVCaptureSynchronizedDataCollection
            let isOnQueue: Bool
        }

        let queue = DispatchQueue(label: "collections")
        private let complete = Lock<[Call]>([])
        private let count: Int

        init(count: Int = 2) {
            self.count = count
            queue.setSpecific(key: SampleRecord.key, value: 7)
        }

        var calls: [Call] { complete.withLock { $0 } }

        func clear() { complete.withLock { $0 = [] } }

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer,
            didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            let isOnQueue = DispatchQueue.getSpecific(key: SampleRecord.key) == 7
            guard synchronizedDataCollection.count == count else { return }
            // A few, so that the cameras have buffers.
            complete.withLock {
                $0 = $0.suffix(2) + [Call(collection: synchronizedDataCollection, isOnQueue: isOnQueue)]
            }
        }
    }

    let session = AVCaptureMultiCamSession()
    let front = AVCaptureVideoDataOutput()
    let back = AVCaptureVideoDataOutput()

    /// A session of two cameras, each with an output.
    init() throws {
        TestCameras.prepare
        session.beginConfiguration()
        for (position, output) in [(AVCaptureDevice.Position.front, front), (.back, back)] {
            let camera = try #require(
                AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
            let input = try AVCaptureDeviceInput(device: camera)
            session.addInputWithNoConnections(input)
            session.addOutputWithNoConnections(output)
            session.addConnection(AVCaptureConnection(inputPorts: input.ports, output: output))
        }
        session.commitConfiguration()
    }

    private func frame(
        _ output: AVCaptureOutput, _ collection: AVCaptureSynchronizedDataCollection
    ) throws -> AVCaptureSynchronizedSampleBufferData {
        try #require(collection.synchronizedData(for: output) as? AVCaptureSynchronizedSampleBufferData)
    }

    @Test("Frames of two cameras of about the same time are delivered in one call, on the queue") func frames()
        async throws
    {
        let (synchronizer, record) = (AVCaptureDataOutputSynchronizer(dataOutputs: [front, back]), Record())
        synchronizer.setDelegate(record, queue: record.queue)
        #expect(synchronizer.dataOutputs == [front, back] && synchronizer.delegate === record)
        #expect(synchronizer.delegateCallbackQueue === record.queue)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { record.calls.count >= 2 })
        await onThread { [session] in session.stopRunning() }
        synchronizer.setDelegate(nil, queue: nil)
        for call in record.calls {
            let (one, other) = (try frame(front, call.collection), try frame(back, call.collection))
            #expect(call.isOnQueue && !one.sampleBufferWasDropped && one.droppedReason == .none)
            #expect(one.sampleBuffer.imageBuffer.map(CVPixelBufferGetWidth) == TestCameras.front.width)
            #expect(other.sampleBuffer.imageBuffer.map(CVPixelBufferGetWidth) == TestCameras.back.width)
            #expect(abs((one.timestamp - other.timestamp).seconds) <= 0.017)
            #expect(call.collection[back] === other && Array(call.collection) == [one, other])
            #expect(call.collection.synchronizedData(for: AVCaptureVideoDataOutput()) == nil)
        }
        let times = try record.calls.map { try frame(front, $0.collection).timestamp }
        #expect(times.count >= 2 && times == times.sorted())
    }

    @Test("Frames are delivered again after the next start") func restart() async throws {
        let (synchronizer, record) = (AVCaptureDataOutputSynchronizer(dataOutputs: [front, back]), Record())
        synchronizer.setDelegate(record, queue: nil)
        for _ in 0..<3 {
            await onThread { [session] in session.startRunning() }
            #expect(await becomes { !record.calls.isEmpty })
            #expect(record.calls.allSatisfy { !$0.isOnQueue })
            await onThread { [session] in session.stopRunning() }
            record.clear()
        }
        synchronizer.setDelegate(nil, queue: nil)
    }

    @Test("An output of a session that is made later is synchronized as well") func laterSession() async throws {
        let (output, record) = (AVCaptureVideoDataOutput(), Record(count: 1))
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [output])
        synchronizer.setDelegate(record, queue: record.queue)
        let session = AVCaptureSession()
        session.addInput(
            try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
        session.addOutput(output)
        for _ in 0..<2 {
            await onThread { session.startRunning() }
            #expect(await becomes { !record.calls.isEmpty })
            await onThread { session.stopRunning() }
            record.clear()
        }
        synchronizer.setDelegate(nil, queue: nil)
    }

    @Test("The delegate of an output is called while the output has no synchronizer") func ownDelegates() async throws {
        let own = SampleRecord(keeps: false)
        front.setSampleBufferDelegate(own, queue: own.queue)
        var synchronizer: AVCaptureDataOutputSynchronizer? = AVCaptureDataOutputSynchronizer(
            dataOutputs: [front, back])
        let record = Record()
        synchronizer?.setDelegate(record, queue: record.queue)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { record.calls.count >= 2 })
        #expect(own.delivered.isEmpty && front.sampleBufferDelegate === own)
        synchronizer = nil
        #expect(await becomes { !own.delivered.isEmpty })
        await onThread { [session] in session.stopRunning() }
        _ = synchronizer
    }

    @Test("An output of sound is left out") func sound() {
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [AVCaptureAudioDataOutput(), front])
        #expect(synchronizer.dataOutputs == [front])
        #expect(AVCaptureDataOutputSynchronizer(dataOutputs: []).dataOutputs.isEmpty)
    }
}
