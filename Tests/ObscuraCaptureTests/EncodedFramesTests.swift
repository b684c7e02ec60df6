// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// The compressed frames of a camera, as they come.
@Suite(.hangLimit) struct EncodedFramesTests {
    private typealias Loop = VideoDataOutput.EncodedFrames.Iterator

    private struct Stage {
        let decoder = HandDecoder()
        let camera: HandCamera
        let session: CaptureSession
        let output = VideoDataOutput(name: "output", latePolicy: .bounded(100), leaseLimit: 100)

        init() async throws {
            camera = .compressed(decoder)
            session = try await CaptureSession.of(camera, [output])
        }

        /// The counts of the reader of compressed frames.
        var books: ReaderLedger { get throws { try session.reader("output compressed").frames } }

        func end() { camera.sink?.finish(throwing: nil) }
    }

    /// All frames up to the end.
    private func rest(_ loop: inout Loop) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        while let frame = try await loop.next() { frames.append(frame) }
        return frames
    }

    @Test func `Each compressed frame comes once and unchanged, and nothing is decoded`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        try await stage.session.start()
        for number in 0..<10 as Range<UInt64> { stage.camera.send(number, isKey: number % 5 == 0) }
        stage.end()
        let frames = try await rest(&loop)
        #expect(frames.map(\.sequence) == Array(0..<10))
        #expect(frames.map { UInt64($0.data[1]) } == Array(0..<10))
        #expect(frames.map(\.isKeyFrame) == (0..<10).map { $0 % 5 == 0 })
        #expect(frames.map(\.presentationTime) == (0..<10).map { MediaTime(value: $0, timescale: 30) })
        #expect(frames.allSatisfy { $0.hostTime.nanoseconds == $0.presentationTime.nanoseconds && $0.format == .h264 })
        let books = try stage.books
        #expect(books.offered == 10 && books.delivered == 10 && books.dropped.total == 0)
        #expect(stage.decoder.decoded.isEmpty)
        stage.session.expectBalance()
    }

    @Test func `Both the compressed frames and the pixels of a camera can be read`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        var pixels = stage.output.frames.makeAsyncIterator()
        try await stage.session.start()
        for number in 0..<6 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
        stage.end()
        #expect(try await rest(&loop).map(\.sequence) == Array(0..<6))
        var seen: [UInt64] = []
        while let frame = try await pixels.next() { seen.append(frame.sequence) }
        #expect(seen == Array(0..<6) && stage.decoder.decoded.count == 6)
        stage.session.expectBalance()
    }

    @Test func `A held source waits for its readers, which miss nothing`() async throws {
        let stage = try await Stage()
        stage.output.connection.holdsSource = true
        try await stage.session.start()
        let begun = Count()
        async let sent: Void = onThread {
            begun.add()
            for number in 0..<3 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
            stage.end()
        }
        #expect(await begun.reaches(1))
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        stage.output.connection.holdsSource = false
        #expect(try await rest(&loop).map(\.sequence) == Array(0..<3))
        await sent
        #expect(stage.decoder.decoded.isEmpty)
        stage.session.expectBalance()
    }

    @Test func `A session with a held source can be stopped`() async throws {
        let stage = try await Stage()
        stage.output.connection.holdsSource = true
        try await stage.session.start()
        let begun = Count()
        async let sent: Void = onThread {
            begun.add()
            stage.camera.send(0, isKey: true)
        }
        #expect(await begun.reaches(1))
        await stage.session.stop()
        await sent
        #expect(stage.decoder.decoded.isEmpty)
    }

    @Test func `A driver may deliver in batches while all readers gather`() async throws {
        let stage = try await Stage()
        let delegate = Deaf()
        stage.output.setEncodedDelegate(delegate, gathering: GatheringTimer(interval: .milliseconds(10)))
        try await stage.session.start()
        let sink = try #require(stage.camera.sink)
        #expect(sink.demand == .encodedFrames)
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        #expect(sink.demand == [.encodedFrames, .prompt])
        stage.end()
        #expect(try await rest(&loop).isEmpty)
        await stage.session.stop()
    }

    @Test func `A reader of pixels that joins later begins with a key frame`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        try await stage.session.start()
        for number in 0..<3 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
        var pixels = stage.output.frames.makeAsyncIterator()
        for number in 3..<8 as Range<UInt64> { stage.camera.send(number, isKey: number == 5) }
        stage.end()
        var seen: [UInt64] = []
        while let frame = try await pixels.next() { seen.append(frame.sequence) }
        #expect(seen == [5, 6, 7] && stage.decoder.decoded == [5, 6, 7])
        #expect(try await rest(&loop).map(\.sequence) == Array(0..<8))
        let books = try stage.session.reader("output loop").frames
        #expect(books.dropped[.discontinuity] == 2 && books.dropped.total == 2)
        // The camera lost none of them.
        #expect(stage.session.ledger.inputs.last?.lost == 0)
        stage.session.expectBalance()
    }

    @Test func `A reader that joins later, too`() async throws {
        let stage = try await Stage()
        var pixels = stage.output.frames.makeAsyncIterator()
        try await stage.session.start()
        for number in 0..<2 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        for number in 2..<6 as Range<UInt64> { stage.camera.send(number, isKey: number == 4) }
        stage.end()
        #expect(try await rest(&loop).map(\.sequence) == [4, 5])
        let books = try stage.books
        #expect(books.skipped == 2 && books.dropped.total == 0)
        while try await pixels.next() != nil {}
        stage.session.expectBalance()
    }

    @Test(arguments: [true, false])
    func `After a loss in the device it continues with the next key frame`(isReported: Bool) async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        try await stage.session.start()
        for number in 0..<3 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
        if isReported { stage.camera.sink?.loseFrame(sequence: 3) }
        for number in 4..<10 as Range<UInt64> { stage.camera.send(number, isKey: number == 7) }
        stage.end()
        #expect(try await rest(&loop).map(\.sequence) == [0, 1, 2, 7, 8, 9])
        #expect(try stage.books.dropped[.deviceError] == (isReported ? 4 : 3))
        stage.session.expectBalance()
    }

    @Test func `Who is too slow loses whole groups of frames, up to a key frame`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames(latePolicy: .bounded(4)).makeAsyncIterator()
        try await stage.session.start()
        // Four wait, so 4 is left out, and all that need it; the key frame 8 finds no room, and takes that of the group 0.
        for number in 0..<10 as Range<UInt64> { stage.camera.send(number, isKey: [0, 2, 8].contains(number)) }
        stage.end()
        #expect(try await rest(&loop).map(\.sequence) == [2, 3, 8, 9])
        #expect(try stage.books.dropped[.late] == 6)
        stage.session.expectBalance()
    }

    @Test func `A lossless reader has the camera wait`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames(latePolicy: .lossless(2)).makeAsyncIterator()
        try await stage.session.start()
        let camera = stage.camera
        let sending = Task.detached {
            for number in 0..<50 as Range<UInt64> { camera.send(number, isKey: number == 0) }
            camera.sink?.finish(throwing: nil)
        }
        #expect(try await rest(&loop).map(\.sequence) == Array(0..<50))
        await sending.value
        #expect(try stage.books.dropped.total == 0)
        stage.session.expectBalance()
    }

    @Test func `What a decoder still had when it was no longer needed is not shown later`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        var first: VideoDataOutput.Frames.Iterator? = stage.output.frames.makeAsyncIterator()
        try await stage.session.start()
        stage.camera.send(0, isKey: true, .delayed)
        #expect(await stage.decoder.begun.reaches(1))
        first = nil
        stage.camera.send(1)
        var second = stage.output.frames.makeAsyncIterator()
        for number in 2..<6 as Range<UInt64> { stage.camera.send(number, isKey: number == 3) }
        stage.end()
        var seen: [UInt64] = []
        while let frame = try await second.next() { seen.append(frame.sequence) }
        #expect(seen == [3, 4, 5] && first == nil)
        #expect(try await rest(&loop).map(\.sequence) == Array(0..<6))
        #expect(try stage.session.reader("output loop").frames.dropped[.deviceError] == 0)
        stage.session.expectBalance()
    }

    @Test func `Without any reader, the decoder stays ready for the next one`() async throws {
        let stage = try await Stage()
        try await stage.session.start()
        for number in 0..<3 as Range<UInt64> { stage.camera.send(number, isKey: number == 0) }
        #expect(await stage.decoder.begun.reaches(3))
        var pixels = stage.output.frames.makeAsyncIterator()
        stage.camera.send(3)
        stage.end()
        // The third one may still have been on its way when the reader came.
        var last: UInt64?
        while let frame = try await pixels.next() { last = frame.sequence }
        #expect(last == 3 && stage.decoder.decoded == [0, 1, 2, 3])
        stage.session.expectBalance()
    }

    @Test func `While the connection is disabled, nothing comes, and then a key frame`() async throws {
        let stage = try await Stage()
        var loop = stage.output.encodedFrames().makeAsyncIterator()
        try await stage.session.start()
        stage.camera.send(0, isKey: true)
        stage.output.connection.isEnabled = false
        stage.camera.send(1)
        stage.output.connection.isEnabled = true
        for number in 2..<6 as Range<UInt64> { stage.camera.send(number, isKey: number == 4) }
        stage.end()
        #expect(try await rest(&loop).map(\.sequence) == [0, 4, 5])
        #expect(try stage.books.skipped == 3 && stage.books.dropped.total == 0)
        stage.session.expectBalance()
    }

    @Test func `The bytes of a JPEG camera are those of the device`() async throws {
        let picture = try PatternScene(size: PixelSize(width: 64, height: 48)).draw(sequence: 0, time: .zero)
        let jpeg = try JPEGEncoder().encode(picture)
        let frame = EncodedFrame(
            format: .mjpeg, data: jpeg, width: 64, height: 48, isKeyFrame: true, presentationTime: .zero, hostTime: .now
        )
        let driver = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .mjpeg, width: 64, height: 48)],
            script: (0..<5).map { ReplayEvent(at: .milliseconds($0), .encoded(frame)) }
                + [ReplayEvent(at: .milliseconds(5), .end)])
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = try await CaptureSession.of(driver, [output])
        var loop = output.encodedFrames(latePolicy: .lossless).makeAsyncIterator()
        var pixels = output.frames.makeAsyncIterator()
        try await session.start()
        let decoding = Task {
            var count = 0
            while try await pixels.next() != nil { count += 1 }
            return count
        }
        let frames = try await rest(&loop)
        #expect(frames.map(\.sequence) == Array(0..<5) && frames.allSatisfy { $0.data == jpeg })
        #expect(try await decoding.value == 5)
        // What another reader decoded is not kept with them.
        #expect(frames.allSatisfy { $0.decoded.count == 0 })
        session.expectBalance()
    }

    @Test func `A camera of pixels has none, and the error says what to do`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        var loop = output.encodedFrames().makeAsyncIterator()
        try await session.start()
        try camera.give()
        await #expect {
            while try await loop.next() != nil {}
        } throws: {
            ($0 as? ObscuraError)?.code == .unsupportedFormat && "\($0)".contains("VideoEncoder")
        }
        await session.stop()
    }
}

/// A delegate that ignores everything.
private final class Deaf: EncodedMediaDelegate {
    func output(_ output: VideoDataOutput, didOutput frame: EncodedFrame) {}
    func output(_ output: AudioDataOutput, didOutput packet: EncodedAudio) {}
    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {}
    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) {}
}
