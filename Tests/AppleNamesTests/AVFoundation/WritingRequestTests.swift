// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Blocks that supply the samples of inputs (`requestMediaDataWhenReady`).
@Suite("AVAssetWriterInput, requests for media", .hangLimit) struct WritingRequestTests {
    private let movies = try? WritingMovies()

    /// A source of samples for a block, which notes what it does.
    private final class Source: Sendable {
        struct State {
            var next = 0
            var calls = 0
            var isOnQueue = true
            /// The end of what was appended.
            var end = MediaTime.zero
        }

        static let key = DispatchSpecificKey<Bool>()
        let state = Lock(State())
        let queue: DispatchQueue
        private let input: AVAssetWriterInput
        private let count: Int
        private let make: @Sendable (Int) throws -> CMSampleBuffer
        private let onAppend: @Sendable (MediaTime) -> Void

        init(
            _ input: AVAssetWriterInput, _ queue: DispatchQueue, count: Int,
            onAppend: @escaping @Sendable (MediaTime) -> Void = { _ in },
            _ make: @escaping @Sendable (Int) throws -> CMSampleBuffer
        ) {
            (self.input, self.queue, self.count) = (input, queue, count)
            self.onAppend = onAppend
            self.make = make
            queue.setSpecific(key: Self.key, value: true)
        }

        var end: MediaTime { state.withLock { $0.end } }

        /// As in Apple's documentation: until the input is not ready, or nothing is left.
        func supply() {
            let isOnQueue = DispatchQueue.getSpecific(key: Self.key) == true
            state.withLock { state in
                state.calls += 1
                state.isOnQueue = state.isOnQueue && isOnQueue
            }
            while input.isReadyForMoreMediaData {
                let number = state.withLock { $0.next }
                guard number < count, let sample = try? make(number), input.append(sample) else {
                    input.markAsFinished()
                    return
                }
                let end = sample.presentationTimeStamp.mediaTime ?? .zero
                state.withLock { state in
                    state.next += 1
                    state.end = end
                }
                onAppend(end)
            }
        }
    }

    @Test("Two inputs get all of their samples, in turn", arguments: [false, true])
    func twoInputs(haveOneQueue: Bool) async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let (video, audio) = (WritingMovies.video(), WritingMovies.audio())
        writer.add(video)
        writer.add(audio)
        let queue = DispatchQueue(label: "video")
        let leads = Lock<[Double]>([])
        let ends = Lock<(video: MediaTime, audio: MediaTime)>((.zero, .zero))
        @Sendable func note(_ body: (inout (video: MediaTime, audio: MediaTime)) -> Void) {
            let lead = ends.withLock { ends in
                body(&ends)
                return abs((ends.video - ends.audio).seconds)
            }
            leads.withLock { $0.append(lead) }
        }
        // Ten seconds. With two queues, they are appended at the same time.
        let frames = Source(video, queue, count: 100, onAppend: { end in note { $0.video = end } }) { number in
            try WritingMovies.frame(at: CMTime(MediaTime(value: Int64(number), timescale: 10)))
        }
        let sound = Source(
            audio, haveOneQueue ? queue : DispatchQueue(label: "audio"), count: 1000,
            onAppend: { end in note { $0.audio = end } }
        ) { try WritingMovies.tone(from: $0 * 480) }
        // One before the start, one after it: no block is called before the session.
        video.requestMediaDataWhenReady(on: frames.queue) { frames.supply() }
        try #require(writer.startWriting())
        audio.requestMediaDataWhenReady(on: sound.queue) { sound.supply() }
        #expect(frames.state.withLock { $0.calls } == 0 && sound.state.withLock { $0.calls } == 0)
        writer.startSession(atSourceTime: .zero)
        #expect(await becomes { frames.state.withLock { $0.next } == 100 && sound.state.withLock { $0.next } == 1000 })
        #expect(await becomes { !video.isReadyForMoreMediaData && !audio.isReadyForMoreMediaData })
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        #expect(frames.state.withLock { $0.isOnQueue } && sound.state.withLock { $0.isOnQueue })
        // Two seconds, and the sample with which they are exceeded.
        #expect(leads.withLock { $0.max() ?? 0 } <= 2.2)
        // On one queue, they take turns. On two, the slower one need not wait.
        if haveOneQueue {
            #expect(frames.state.withLock { $0.calls } > 1 && sound.state.withLock { $0.calls } > 1)
        }
        let contents = try MovieContents.read(movies.path)
        #expect(contents.streams.map(\.kind) == [.video, .audio])
        #expect(contents.streams[0].frameCount == 100)
        #expect(abs((contents.streams[1].duration?.seconds ?? 0) - 10) < 0.05)
    }

    @Test("A block that appends nothing is called again, until the input is finished")
    func idleBlock() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        writer.add(input)
        try #require(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let calls = Lock(0)
        input.requestMediaDataWhenReady(on: DispatchQueue(label: "idle")) {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            switch call {
            case 3: if let frame = try? WritingMovies.frame(at: .zero) { input.append(frame) }
            case 5: input.markAsFinished()
            default: break
            }
        }
        #expect(await becomes { calls.withLock { $0 } == 5 })
        await writer.finishWriting()
        #expect(writer.status == .completed && calls.withLock { $0 } == 5)
        #expect(try Probe(movies.path).frames.count == 1)
    }

    @Test("The block is released at the end, and the writer with it", arguments: ["finish", "cancel", "fail"])
    func released(end: String) async throws {
        let movies = try #require(movies)
        var writer: AVAssetWriter? = try movies.writer()
        weak let weakWriter = writer
        let input = WritingMovies.video()
        let calls = Lock(0)
        do {
            let writer = try #require(writer)
            writer.add(input)
            // The block refers to the writer, which refers to the block.
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "block")) {
                calls.withLock { $0 += 1 }
                if writer.status == .writing, let frame = try? WritingMovies.frame(at: .zero) { input.append(frame) }
            }
            try #require(writer.startWriting())
            writer.startSession(atSourceTime: .zero)
            #expect(await becomes { calls.withLock { $0 } > 0 })
            switch end {
            case "finish": await writer.finishWriting()
            case "cancel": await onThread { writer.cancelWriting() }
            default: #expect(!writer.startWriting())
            }
        }
        writer = nil
        #expect(await becomes { weakWriter == nil })
    }

    /// Asks the writer for its state when it goes.
    private final class Owner: Sendable {
        let writer: AVAssetWriter
        let onEnd: @Sendable (AVAssetWriter.Status) -> Void

        init(_ writer: AVAssetWriter, _ onEnd: @escaping @Sendable (AVAssetWriter.Status) -> Void) {
            (self.writer, self.onEnd) = (writer, onEnd)
        }

        deinit { onEnd(writer.status) }
    }

    @Test("An object that goes with the block can use the writer", arguments: ["finished", "replaced", "cancelled"])
    func ownerOfBlock(end: String) async throws {
        let writer = try #require(movies).writer()
        let input = WritingMovies.video()
        let seen = Lock<[AVAssetWriter.Status]>([])
        let queue = DispatchQueue(label: "block")
        func request() {
            let owner = Owner(writer) { status in seen.withLock { $0.append(status) } }
            input.requestMediaDataWhenReady(on: queue) { withExtendedLifetime(owner) {} }
        }
        request()
        request()
        #expect(seen.withLock { $0 } == [.unknown])
        writer.add(input)
        try #require(writer.startWriting())
        switch end {
        case "finished": input.markAsFinished()
        case "replaced": input.requestMediaDataWhenReady(on: queue) {}
        default: await onThread { writer.cancelWriting() }
        }
        #expect(seen.withLock { $0 } == [.unknown, end == "cancelled" ? .cancelled : .writing])
    }
}
