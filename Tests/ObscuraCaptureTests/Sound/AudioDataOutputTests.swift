// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct AudioDataOutputTests {
    @Test("A loop gets every buffer in order, and the books say so")
    func loop() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput()
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        #expect(session.activeAudioFormat(of: try #require(session.inputs.first)) == microphone.format)
        let sink = try #require(microphone.sink)
        #expect(sink.wantsAudio && sink.demand.contains(.audio))
        microphone.give(5)
        for index in 0..<5 {
            let sound = try #require(try await buffers.next())
            #expect(sound.position == UInt64(2 * index) && sound.samples == .float32([0.5, -0.5]))
        }
        await session.stop()
        #expect(!sink.wantsAudio && sink.demand.isEmpty)
        #expect(try await buffers.next() == nil)
        let books = try #require(session.ledger.readers.last).frames
        #expect(books.offered == 5 && books.delivered == 5 && books.isBalanced)
        let input = try #require(session.ledger.inputs.first)
        #expect(input.audio.received == 5 && input.audio.sampleFrames == 10 && input.audio.overruns == 0)
        #expect(input.received == 0)
    }

    @Test("A delegate is called for each buffer, and at the end of the source")
    func delegate() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput()
        let listener = RecordingListener()
        output.setDelegate(listener)
        let session = try await CaptureSession.of(microphone, [output])
        try await session.start()
        microphone.give(3)
        #expect(await listener.buffers.reaches(3))
        microphone.sink?.finish(throwing: nil)
        #expect(await listener.endings.reaches(1))
        #expect(listener.positions == [0, 2, 4])
    }

    @Test("Of sound that a busy reader leaves, the oldest is dropped as late and told")
    func late() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput(latePolicy: .bounded(2))
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        microphone.give(5)
        #expect(try await buffers.next()?.position == 6)
        #expect(try await buffers.next()?.position == 8)
        let books = try #require(session.ledger.readers.last).frames
        #expect(books.dropped[.late] == 3 && books.isBalanced)
        await session.stop()
    }

    @Test("What the driver lost is counted, how often and how much")
    func overruns() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput()
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        microphone.give(2)
        #expect(session.ledger.inputs.first?.audio.clockDrift == nil)
        microphone.give(2, gap: 7, drift: -35)
        for _ in 0..<2 { _ = try await buffers.next() }
        let after = try #require(try await buffers.next())
        #expect(after.attachments.gap == 7 && after.position == 11)
        let counts = try #require(session.ledger.inputs.first).audio
        #expect(counts.overruns == 1 && counts.lost == 7 && counts.sampleFrames == 8)
        #expect(counts.clockDrift == -35)
        await session.stop()
    }

    @Test("Another form is made by the driver's converter, and what that keeps comes at the end")
    func conversion() async throws {
        let microphone = HandMicrophone()
        var form = microphone.format
        form.isInterleaved = false
        let output = AudioDataOutput(format: form, latePolicy: .lossless(8))
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        microphone.give(3)
        microphone.sink?.finish(throwing: nil)
        var positions: [UInt64] = []
        while let sound = try await buffers.next() {
            #expect(sound.samples == .float32([0.25, -0.25]) && sound.format == form)
            positions.append(sound.position)
        }
        #expect(positions == [0, 2, 4])
    }

    @Test("A form that nobody can make ends the reader with an error that says so")
    func noConverter() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput(format: AudioFormat(sampleRate: 8000))
        let plain = AudioDataOutput(name: "plain")
        let session = try await CaptureSession.of(microphone, [output, plain])
        var buffers = output.buffers.makeAsyncIterator()
        var plainBuffers = plain.buffers.makeAsyncIterator()
        try await session.start()
        microphone.give()
        let error = await #expect(throws: ObscuraError.self) { try await buffers.next() }
        #expect(error?.code == .unsupportedFormat)
        #expect(try await plainBuffers.next() != nil)
        await session.stop()
    }

    @Test("A disabled connection lets nothing pass, and counts it as skipped")
    func disabled() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput()
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        output.connection.isEnabled = false
        microphone.give(3)
        output.connection.isEnabled = true
        microphone.give()
        #expect(try await buffers.next()?.position == 6)
        #expect(try #require(session.ledger.readers.last).frames.skipped == 3)
        await session.stop()
    }

    @Test("Sound goes to outputs of sound, pictures to outputs of pictures, each from the first input that has it")
    func routing() async throws {
        let (camera, microphone) = (HandCamera(), HandMicrophone())
        let (pictures, sound) = (VideoDataOutput(), AudioDataOutput())
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: camera.device))
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: microphone)))
            try configuration.addOutput(pictures)
            try configuration.addOutput(sound)
        }
        var frames = pictures.frames.makeAsyncIterator()
        var buffers = sound.buffers.makeAsyncIterator()
        try await session.start()
        #expect(sound.connection.input?.device.uniqueID == "microphone")
        #expect(pictures.connection.input?.device == camera.device)
        #expect(microphone.sink?.wantsAudio == true && camera.sink?.wantsAudio == false)
        try camera.give()
        microphone.give()
        #expect(try await frames.next() != nil)
        #expect(try await buffers.next() != nil)
        await session.stop()
    }

    @Test("An output cannot be connected to an input that gives nothing of its kind")
    func wrongConnection() async throws {
        let microphone = HandMicrophone()
        let output = VideoDataOutput()
        let input = try CaptureDeviceInput(device: CaptureDevice(driver: microphone))
        let session = CaptureSession()
        let error = await #expect(throws: ObscuraError.self) {
            try await session.configure { configuration in
                try configuration.addInput(input)
                try configuration.addOutput(output)
                try configuration.connect(output, to: input)
            }
        }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test("A source that is read as fast as it is taken waits for the first reader of its sound")
    func lossless() async throws {
        let microphone = HandMicrophone(isLive: false)
        let output = AudioDataOutput(latePolicy: .lossless)
        let session = try await CaptureSession.of(microphone, [output])
        try await session.start()
        let given = Count()
        let thread = WorkerThread(name: "giver") {
            microphone.give(40)
            microphone.sink?.finish(throwing: nil)
            given.add()
        }
        var positions: [UInt64] = []
        for try await sound in output.buffers { positions.append(sound.position) }
        #expect(positions == Array(stride(from: UInt64(0), to: 80, by: 2)))
        #expect(await given.reaches(1))
        withExtendedLifetime(thread) {}
    }

    @Test("The first sound after a pause is marked as a discontinuity")
    func pause() async throws {
        let microphone = HandMicrophone()
        let output = AudioDataOutput()
        let session = try await CaptureSession.of(microphone, [output])
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        microphone.give(1)
        #expect(try await buffers.next()?.attachments.isDiscontinuity == false)
        await session.pause()
        try await session.resume()
        microphone.give(2)
        #expect(try await buffers.next()?.attachments.isDiscontinuity == true)
        #expect(try await buffers.next()?.attachments.isDiscontinuity == false)
        await session.stop()
    }

    @Test("After a switch of microphones no sound of the old one comes")
    func change() async throws {
        let (old, new) = (HandMicrophone("old"), HandMicrophone("new"))
        let output = AudioDataOutput()
        let session = try await CaptureSession.of(old, [output])
        let oldInput = try #require(session.inputs.first)
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        old.give(2)
        let oldSink = try #require(old.sink)
        let newInput = try CaptureDeviceInput(device: CaptureDevice(driver: new))
        try await session.configure { try $0.replaceInput(oldInput, with: newInput) }
        oldSink.receive(
            AudioBuffer(
                format: old.format, samples: .float32([1]), presentationTime: .zero,
                hostTime: HostTime(nanoseconds: 0)))
        new.give(2, .float32([0.125]))
        let first = try #require(try await buffers.next())
        #expect(first.samples == .float32([0.125]))
        #expect(first.attachments.isDiscontinuity)
        #expect(try await buffers.next()?.attachments.isDiscontinuity == false)
        let books = try #require(session.ledger.readers.last).frames
        #expect(books.dropped[.discontinuity] == 2 && books.isBalanced)
        await session.stop()
    }
}

/// A delegate that writes down what it hears.
private final class RecordingListener: AudioDataOutputDelegate {
    private let heard = Lock<[UInt64]>([])
    let buffers = Count()
    let endings = Count()

    var positions: [UInt64] { heard.withLock { $0 } }

    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
        heard.withLock { $0.append(sound.position) }
        buffers.add()
    }

    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) { endings.add() }
}
