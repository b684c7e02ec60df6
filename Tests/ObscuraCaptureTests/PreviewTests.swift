// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@Suite(.hangLimit) struct PreviewTests {
    /// A camera whose pictures differ in each pixel of a row, and a session that shows it.
    private func makeSession(_ preview: PreviewOutput) async throws -> (HandCamera, CaptureSession) {
        let camera = HandCamera()
        return (camera, try await CaptureSession.of(camera, [preview]))
    }

    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    @Test func `Each view gets the camera's picture in its own size, shape and format`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        let views = [
            preview.subscribe(), preview.subscribe(size: size(4, 4), gravity: .resize, pixelFormat: .gray8),
            preview.subscribe(size: size(4, 4)), preview.subscribe(size: size(4, 4), gravity: .resizeAspectFill),
            preview.subscribe(pixelFormat: nil),
        ]
        var iterators = views.map { $0.frames.makeAsyncIterator() }
        try await session.start()
        try camera.give()
        var seen: [(PixelSize, PixelFormat)] = []
        for index in iterators.indices {
            let frame = try #require(try await iterators[index].next())
            #expect(frame.sequence == 0)
            seen.append((frame.buffer.size, frame.buffer.format))
        }
        #expect(seen.map(\.0) == [size(8, 4), size(4, 4), size(4, 2), size(4, 4), size(8, 4)])
        #expect(seen.map(\.1) == [.bgra, .gray8, .bgra, .bgra, .gray8])
        views[0].size = size(2, 1)
        views[0].pixelFormat = .gray8
        try camera.give()
        #expect(try #require(try await iterators[0].next()).buffer.size == size(2, 1))
        await session.stop()
        session.expectBalance()
    }

    @Test func `A view that cannot follow loses frames, sees the newest, and slows no other`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        var (quick, slow) = (
            preview.subscribe().frames.makeAsyncIterator(), preview.subscribe().frames.makeAsyncIterator()
        )
        try await session.start()
        for sequence in 0..<50 {
            try camera.give()
            #expect(try #require(try await quick.next()).sequence == UInt64(sequence))
        }
        #expect(try #require(try await slow.next()).sequence == 49)
        let (lost, whole) = (try session.reader("preview view 2").frames, try session.reader("preview view 1").frames)
        #expect(lost.dropped[.late] == 49 && lost.offered == 50)
        #expect(whole.dropped.total == 0 && whole.offered == 50)
        await session.stop()
    }

    @Test func `A hidden view gets nothing, and begins again with a fresh frame`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        let view = preview.subscribe()
        var frames = view.frames.makeAsyncIterator()
        try await session.start()
        try camera.give()
        #expect(try #require(try await frames.next()).sequence == 0)
        // This one waits when the view is hidden, and is old when it is seen again.
        try camera.give()
        view.isHidden = true
        try camera.give(10)
        view.isHidden = false
        try camera.give()
        #expect(try #require(try await frames.next()).sequence == 12)
        let books = try session.reader("preview view 1").frames
        #expect(books.skipped == 11 && books.dropped.total == 0 && books.offered == 13)
        await session.stop()
        session.expectBalance()
    }

    @Test func `The rate of a view is its own`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        let (all, some) = (preview.subscribe(), preview.subscribe())
        some.minFrameDuration = MediaTime(value: 1, timescale: 10)
        let readers = [all, some].map { $0.frames.makeAsyncIterator() }
        try await session.start()
        try camera.give(30)
        #expect(try session.reader("preview view 1").frames.skipped == 0)
        #expect(try session.reader("preview view 2").frames.skipped == 20)
        some.minFrameDuration = nil
        try camera.give(30)
        #expect(try session.reader("preview view 2").frames.skipped == 20)
        withExtendedLifetime(readers) {}
        await session.stop()
    }

    @Test func `Views may look the other way round than their output`() async throws {
        let preview = PreviewOutput()
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [preview])
        preview.connection.isMirrored = true
        let views = [nil, false, true].map { mirror in
            let view = preview.subscribe(pixelFormat: .gray8)
            view.isMirrored = mirror
            return view
        }
        var iterators = views.map { $0.frames.makeAsyncIterator() }
        try await session.start()
        // Its first byte differs from all others.
        var picture = try PixelBuffer(format: .gray8, width: 8, height: 4)
        try picture.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: 200, toByteOffset: 0, as: UInt8.self) }
        camera.sink?.receive(VideoFrame(buffer: picture, presentationTime: .zero, hostTime: .now), buffersLeft: nil)
        var marks: [Bool] = []
        for index in iterators.indices { marks.append(try #require(try await iterators[index].next()).mark == 200) }
        #expect(marks == [false, true, false])
        await session.stop()
    }

    @Test func `Views of any size share the effects of their camera, and equal ones all of the work`() async throws {
        let calls = Lock(0)
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        preview.connection.effects = [
            VideoEffect("count", formats: [.gray8]) { _, _ in calls.withLock { $0 += 1 } }
        ]
        var iterators = (1...6).map {
            preview.subscribe(size: size($0 / 2 + 1, 2), gravity: .resize, pixelFormat: .gray8).frames
                .makeAsyncIterator()
        }
        try await session.start()
        try camera.give()
        var pictures: [PixelBuffer] = []
        for index in iterators.indices { pictures.append(try #require(try await iterators[index].next()).buffer) }
        #expect(calls.withLock { $0 } == 1)
        // The second and the third ask for the same, and get the same memory.
        #expect(pictures[1].isIdentical(to: pictures[2]))
        #expect(!pictures[2].isIdentical(to: pictures[3]))
        await session.stop()
    }

    @Test func `A view asks for what cannot be: its reader is told, and no other`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        var wrong = preview.subscribe(size: size(0, 4)).frames.makeAsyncIterator()
        var right = preview.subscribe().frames.makeAsyncIterator()
        try await session.start()
        try camera.give()
        await #expect(throws: ObscuraError.self) { try await wrong.next() }
        #expect(try await right.next() != nil)
        await session.stop()
        #expect(try await right.next() == nil)
    }

    @Test func `Views read again after the session was stopped and started`() async throws {
        let preview = PreviewOutput()
        let (camera, session) = try await makeSession(preview)
        let view = preview.subscribe()
        for _ in 0..<3 {
            var frames = view.frames.makeAsyncIterator()
            try await session.start()
            try camera.give()
            #expect(try await frames.next() != nil)
            await session.stop()
            #expect(try await frames.next() == nil)
        }
    }

    @Test func `What nobody keeps or reads is gone`() async throws {
        weak var goneOutput: PreviewOutput?
        weak var goneView: PreviewSubscription?
        do {
            let preview = PreviewOutput()
            let (camera, session) = try await makeSession(preview)
            let view = preview.subscribe()
            (goneOutput, goneView) = (preview, view)
            var frames = view.frames.makeAsyncIterator()
            try await session.start()
            try camera.give()
            _ = try await frames.next()
            await session.stop()
        }
        // The thread that gave the last frame may not yet have let go of it.
        #expect(await becomes { goneView == nil && goneOutput == nil })
    }
}
