// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

@Suite struct ReaderTests {
    @Test(.hangLimit) func `Leaving a loop detaches its reader at once`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(10))
        let session = try await CaptureSession.of(camera, [output])
        let begin = Task {
            for try await frame in output.frames where frame.sequence == 1 { break }
        }
        #expect(await becomes { !output.connection.readers.isEmpty })
        try await session.start()
        try camera.give(5)
        try await begin.value
        #expect(output.connection.readers.isEmpty)
        #expect(camera.pictures.withLock { $0 } == 0)
        let left = try session.reader("video loop")
        #expect(!left.isAttached)
        // The loop left while some of the five were still to come, or waited.
        #expect(left.frames.delivered == 2)
        #expect(left.frames.offered == 2 + left.frames.dropped[.stopped])
        try camera.give(3)
        #expect(try session.reader("video loop").frames == left.frames)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit, arguments: [false, true])
    func `Cancelling the task of a loop ends it and detaches its reader`(isWaiting: Bool) async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        let (seen, mayGoOn) = (Count(), Count())
        let task = Task {
            for try await _ in output.frames {
                seen.add()
                if !isWaiting { _ = await mayGoOn.reaches(1) }
            }
        }
        #expect(await becomes { !output.connection.readers.isEmpty })
        try await session.start()
        try camera.give()
        #expect(await seen.reaches(1))
        if isWaiting { #expect(await becomes { camera.pictures.withLock { $0 } == 0 }) }
        task.cancel()
        if isWaiting { #expect(await becomes { output.connection.readers.isEmpty }) }
        mayGoOn.add()
        try await task.value
        #expect(output.connection.readers.isEmpty)
        #expect(session.isRunning)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Another delegate takes over, and none ends the callbacks`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let (first, second) = (RecordingDelegate(), RecordingDelegate())
        output.setDelegate(first)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        try camera.give()
        #expect(await first.frames.reaches(1))
        output.setDelegate(second)
        try camera.give()
        #expect(await second.frames.reaches(1))
        output.setDelegate(nil)
        #expect(output.connection.readers.isEmpty)
        try camera.give()
        #expect(first.frames.now == 1)
        #expect(second.frames.now == 1)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A delegate that is removed while it is being set leaves no reader`() {
        let (output, delegate) = (VideoDataOutput(), RecordingDelegate())
        for _ in 0..<1000 {
            let caller = VideoDelegateReader(output, delegate, on: .arrival)
            #expect(onThreads(2) { $0 == 0 ? caller.open() : caller.close() })
            caller.close()
            if !output.connection.readers.isEmpty { break }
        }
        #expect(output.connection.readers.isEmpty)
    }

    @Test(.hangLimit) func `A delegate that is gone is called no more and holds nothing`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        var delegate: RecordingDelegate? = RecordingDelegate()
        weak let reference = delegate
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        delegate = nil
        #expect(await becomes { reference == nil })
        try camera.give(3)
        #expect(await becomes { output.connection.readers.isEmpty })
        #expect(await becomes { camera.pictures.withLock { $0 } == 0 })
        await session.stop()
    }

    @Test(.hangLimit) func `A reader that attaches while frames come loses none from its first on`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        let isOver = Count()
        let thread = WorkerThread(name: "giver") {
            while isOver.now == 0 { try? camera.give() }
        }
        for _ in 0..<300 {
            var frames = output.frames.makeAsyncIterator()
            let first = try #require(try await frames.next())
            #expect(try await frames.next()?.sequence == first.sequence + 1)
            let books = try #require(output.connection.readers.first).ledger
            #expect(books.dropped.total == 0)
        }
        isOver.add()
        #expect(await onThread { thread?.ends() } == true)
        await session.stop()
        session.expectBalance()
    }

    private func reader(_ patience: Duration, _ drops: Lock<[DroppedFrame]> = Lock([])) -> FrameReader {
        FrameReader(
            name: "hoarder", policy: .lossless(2), leaseLimit: 3, holdingPatience: patience,
            settings: { ImageRequest() }, onDrop: { drop in drops.withLock { $0.append(drop) } })
    }

    private func frame(_ sequence: UInt64, isDiscontinuity: Bool = false) throws -> RoutedFrame {
        let picture = try PixelBuffer(format: .gray8, width: 4, height: 4)
        var frame = VideoFrame(buffer: picture, presentationTime: .zero, hostTime: .now, sequence: sequence)
        frame.attachments.isDiscontinuity = isDiscontinuity
        return RoutedFrame(frame, arrival: .now)
    }

    @Test(.hangLimit) func `The next frame is marked if the first one after a discontinuity is dropped`() throws {
        let reader = FrameReader(name: "late", policy: .latest, leaseLimit: 4, settings: { ImageRequest() })
        func next() -> (sequence: UInt64, isDiscontinuity: Bool)? {
            guard case .element(let frame, _) = reader.takeReady() else { return nil }
            reader.queue.finishInHand()
            return (frame.sequence, frame.attachments.isDiscontinuity)
        }
        reader.receive(try frame(0))
        #expect(next() ?? (99, true) == (0, false))
        // The second replaces the first, which waits.
        reader.receive(try frame(1, isDiscontinuity: true))
        reader.receive(try frame(2))
        #expect(next() ?? (99, false) == (2, true))
        reader.receive(try frame(3))
        #expect(next() ?? (99, true) == (3, false))
        reader.receive(try frame(4, isDiscontinuity: true))
        #expect(next() ?? (99, false) == (4, true))
    }

    @Test(.hangLimit, arguments: [nil, .bgra] as [PixelFormat?])
    func `A frame of a timeline that was left does not reach the reader, not even one that comes in late`(
        format: PixelFormat?
    ) async throws {
        let drops = Lock<[DroppedFrame]>([])
        let reader = FrameReader(
            name: "switched", policy: .bounded(8), leaseLimit: 4,
            settings: { ImageRequest(pixelFormat: format) },
            onDrop: { drop in drops.withLock { $0.append(drop) } })
        // One waits or is being converted when the timeline ends; another was on its way just then.
        reader.whenReady {}
        reader.receive(try frame(0))
        reader.begin(epoch: 1)
        reader.receive(try frame(1))
        var current = try frame(2)
        current.epoch = 1
        reader.receive(current)
        guard case .element(let received, _) = await next(reader) else { return #expect(Bool(false)) }
        #expect(received.sequence == 2)
        reader.finish()
        let books = reader.queue.ledger
        #expect(books.dropped[.discontinuity] == 2)
        #expect(books.delivered == 1)
        #expect(books.isBalanced)
        #expect(drops.withLock { $0.allSatisfy { $0.reason == .discontinuity } })
    }

    /// Takes the next frame, or the reader's end, when there is one.
    private func next(_ reader: FrameReader) async -> Ready<VideoFrame> {
        while true {
            let ready = reader.takeReady()
            if case .nothing = ready {
                await withCheckedContinuation { continuation in reader.whenReady { continuation.resume() } }
                continue
            }
            return ready
        }
    }

    @Test(.hangLimit)
    func `A lossless reader that holds its limit for longer than is patient is told, and frees the source`()
        async throws
    {
        let reader = reader(.milliseconds(30))
        let freed = Count()
        _ = WorkerThread.detach(name: "source") {
            for sequence in 0..<20 as Range<UInt64> {
                if let frame = try? self.frame(sequence) { reader.receive(frame) }
            }
            freed.add()
        }
        var held: [VideoFrame] = []
        for _ in 0..<3 {
            guard case .element(let frame, _) = await next(reader) else { return #expect(Bool(false)) }
            reader.finish()
            held.append(frame)
        }
        #expect(reader.queue.holdings.count == 3)
        guard case .ended(let error?) = await next(reader) else { return #expect(Bool(false)) }
        #expect(error.code == .outOfBuffers)
        #expect(error.subject == "hoarder")
        #expect(error.advice?.contains("leaseLimit") == true)
        #expect(await freed.reaches(1))
        #expect(reader.queue.ledger.isBalanced)
        #expect(reader.queue.ledger.delivered == 3)
        held.removeAll()
    }

    @Test(.hangLimit)
    func `a lossless reader may hold its limit for any time while its writer waits`() async throws {
        let (asked, isWriting) = (Count(), Lock(true))
        let reader = FrameReader(
            name: "writer", policy: .lossless(2), leaseLimit: 3, holdingPatience: .milliseconds(10),
            isWriting: {
                asked.add()
                return isWriting.withLock { $0 }
            }, settings: { ImageRequest() })
        _ = WorkerThread.detach(name: "source") {
            for sequence in 0..<20 as Range<UInt64> {
                if let frame = try? self.frame(sequence) { reader.receive(frame) }
            }
        }
        var held: [VideoFrame] = []
        for _ in 0..<3 {
            guard case .element(let frame, _) = await next(reader) else { return #expect(Bool(false)) }
            reader.finish()
            held.append(frame)
        }
        // Asks for one more, and so is at its limit.
        reader.whenReady {}
        #expect(await asked.reaches(5))
        #expect(!reader.hasEnded)
        isWriting.withLock { $0 = false }
        guard case .ended(let error?) = await next(reader) else { return #expect(Bool(false)) }
        #expect(error.code == .outOfBuffers)
        held.removeAll()
    }

    @Test(.hangLimit)
    func `A lossless reader that lets go in time goes on, and misses nothing`() async throws {
        let reader = reader(waitLimit)
        _ = WorkerThread.detach(name: "source") {
            for sequence in 0..<200 as Range<UInt64> {
                if let frame = try? self.frame(sequence) { reader.receive(frame) }
            }
            reader.finish(throwing: nil)
        }
        let held = Lock<[VideoFrame]>([])
        for expected in 0..<200 as Range<UInt64> {
            // With its limit in hand, another thread lets go of the oldest a little later.
            if held.withLock({ $0.count }) == 3 {
                _ = WorkerThread.detach(name: "letting go") {
                    withExtendedLifetime(held.withLock { $0.removeFirst() }) {}
                }
            }
            guard case .element(let frame, _) = await next(reader) else { return #expect(Bool(false)) }
            #expect(frame.sequence == expected)
            reader.finish()
            held.withLock { $0.append(frame) }
        }
        guard case .ended(nil) = await next(reader) else { return #expect(Bool(false)) }
        #expect(reader.queue.ledger.delivered == 200)
        held.withLock { $0.removeAll() }
    }

    @Test(.hangLimit)
    func `A reader that is closed while frames come and are converted keeps none and gives none`() async throws {
        for round in 0..<200 {
            let reader = FrameReader(
                name: "closed", policy: round % 2 == 0 ? .latest : .lossless(2), leaseLimit: 4,
                settings: { ImageRequest(pixelFormat: .bgra) })
            let live = Count()
            let done = Count()
            reader.whenReady {}
            _ = WorkerThread.detach(name: "source") {
                for sequence in 0..<20 as Range<UInt64> {
                    guard let picture = try? PixelBuffer(format: .gray8, width: 4, height: 4) else { continue }
                    live.add()
                    let frame = VideoFrame(
                        buffer: picture.lent { live.add(-1) }, presentationTime: .zero, hostTime: .now,
                        sequence: sequence)
                    reader.receive(RoutedFrame(frame, arrival: .now))
                    reader.whenReady {}
                }
                done.add()
            }
            reader.close()
            #expect(await done.reaches(1))
            guard case .ended(nil) = reader.takeReady() else { return #expect(Bool(false), "it gave one") }
            let books = reader.queue.ledger
            #expect(books.isBalanced)
            #expect(books.inHand == 0)
            #expect(books.waiting == 0)
            #expect(await becomes { live.now == 0 })
        }
    }
}
